import Foundation

/// A file whose URL an app gave, read with the checks and the errors of Apple's framework.
package struct LocalFile: Sendable {
    private let url: URL
    private let isSticker: Bool

    package init(_ url: URL, isSticker: Bool = false) {
        self.url = url
        self.isSticker = isSticker
    }

    /// Reads all bytes of the file, which must be a regular file of at most `bytesMax` bytes.
    package func read(bytesMax: Int) throws(MessagesFailure) -> Data {
        guard url.isFileURL else {
            throw failure(.improperFileURL, "This is not the URL of a local file.")
        }
        let manager = FileManager.default
        guard manager.fileExists(atPath: url.path) else {
            throw failure(.fileNotFound, "There is no such file.")
        }
        // Foundation's reason is not kept: for the app it only matters that the attributes are
        // unreadable.
        let target = url.resolvingSymlinksInPath().path
        guard
            let attributes = try? manager.attributesOfItem(atPath: target),
            let size = attributes[.size] as? NSNumber,
            attributes[.type] as? FileAttributeType == .typeRegular
        else {
            let code: MSMessageErrorCode =
                isSticker ? .stickerFileImproperFileAttributes : .fileUnreadable
            throw failure(code, "The file is not a regular one, or its size cannot be read.")
        }
        guard size.intValue <= bytesMax else { throw tooLarge(bytesMax) }
        guard
            let handle = try? FileHandle(forReadingFrom: url),
            let data = try? handle.read(upToCount: bytesMax + 1) ?? Data()
        else { throw failure(.fileUnreadable, "The file cannot be read.") }
        // It may have grown since its size was asked for.
        guard data.count <= bytesMax else { throw tooLarge(bytesMax) }
        return data
    }

    private func tooLarge(_ bytesMax: Int) -> MessagesFailure {
        let code: MSMessageErrorCode = isSticker ? .stickerFileImproperFileSize : .unknown
        return failure(code, "The file has more than \(bytesMax) bytes.")
    }

    private func failure(_ code: MSMessageErrorCode, _ text: String) -> MessagesFailure {
        MessagesFailure(code, text, isAboutSticker: isSticker)
    }
}
