import Foundation

/// A sticker as a value that may cross threads.
package struct StickerFile: Hashable, Sendable {
    package let fileURL: URL
    package let localizedDescription: String

    /// The largest file, in bytes: 500 KB.
    package static let bytesMax = 500 * 1_024
    /// The formats of stickers, and of attachments that are inserted in the media context.
    package static let formats: Set<ImageFormat> = [.png, .apng, .gif, .jpeg]
    /// The longest description, in characters.
    package static let descriptionCharactersMax = 150

    /// Reads the picture and checks it on every call, as the file may have changed.
    package func read() throws(MessagesFailure) -> EncodedImage {
        guard localizedDescription.count <= Self.descriptionCharactersMax else {
            let text = "A sticker's description has at most \(Self.descriptionCharactersMax)"
            throw MessagesFailure(.unknown, text + " characters.", isAboutSticker: true)
        }
        let data = try LocalFile(fileURL, isSticker: true).read(bytesMax: Self.bytesMax)
        guard
            let image = try? EncodedImage(data),
            Self.formats.contains(image.format)
        else {
            throw MessagesFailure(
                .stickerFileImproperFileFormat,
                "A sticker is a PNG, APNG, GIF or JPEG picture.",
                isAboutSticker: true
            )
        }
        return image
    }
}
