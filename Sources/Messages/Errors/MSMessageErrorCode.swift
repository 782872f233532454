/// The domain of errors about messages and attachments.
public let MSMessagesErrorDomain: String = "com.apple.messages.messagesapp-error"

/// The domain of errors about stickers.
public let MSStickersErrorDomain: String = "com.apple.messages.stickers-error"

/// Why something could not be staged or sent: the `code` of an `NSError`, not an error itself.
public enum MSMessageErrorCode: Int, Sendable {
    /// Any reason without a code of its own.
    case unknown = -1
    case fileNotFound = 1
    case fileUnreadable = 2
    case improperFileType = 3
    /// Not the URL of a local file.
    case improperFileURL = 4
    case stickerFileImproperFileAttributes = 5
    /// A sticker above 500 KB.
    case stickerFileImproperFileSize = 6
    /// A sticker that is not PNG, APNG, GIF or JPEG.
    case stickerFileImproperFileFormat = 7
    /// A URL above 5,000 characters.
    case urlExceedsMaxSize = 8
    case sendWithoutRecentInteraction = 9
    case sendWhileNotVisible = 10
    /// A call that the media context does not allow.
    case apiUnavailableInPresentationContext = 11
}
