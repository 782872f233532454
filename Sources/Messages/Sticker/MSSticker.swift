public import Foundation

/// A picture file that people put onto messages.
open class MSSticker: NSObject {
    package let file: StickerFile

    /// Makes a sticker of a local, readable file: PNG, APNG, GIF or JPEG of at most 500 KB.
    /// - Throws: an `NSError` with a code of `MSMessageErrorCode`.
    public init(contentsOfFileURL fileURL: URL, localizedDescription: String) throws {
        do throws(MessagesFailure) {
            let file = StickerFile(fileURL: fileURL, localizedDescription: localizedDescription)
            _ = try file.read()
            self.file = file
        } catch {
            throw error.error
        }
        super.init()
    }

    /// A sticker without a picture, which shows nothing and cannot be sent.
    package override init() {
        file = StickerFile(fileURL: URL(filePath: "/dev/null"), localizedDescription: "")
        super.init()
    }

    open var imageFileURL: URL { file.fileURL }

    /// The text that a screen reader speaks.
    open var localizedDescription: String { file.localizedDescription }
}
