import ParleyAPI
import ParleyNode

extension SendDocument {
    /// The document with the picture of `image`, after the checks that need no node.
    ///
    /// - Throws: a `Problem` if the document or the picture is not valid.
    func withPicture() throws(Problem) -> SendDocument {
        let characters = fields.url?.count ?? 0
        guard characters <= MessageLimits.urlCharacters else {
            throw Problem(
                .tooLarge,
                "The URL has \(characters) characters; at most \(MessageLimits.urlCharacters) are "
                    + "allowed.",
                hint: "Make it shorter and send again."
            )
        }
        var document = self
        if let image = fields.image {
            let file = try ImageFile(path: image)
            document.image = nil
            document.imageData = file.bytes
            document.imageType = file.type
        }
        _ = try document.values()
        return document
    }

    /// This document, with missing values taken from `other`.
    func over(_ other: SendDocument) -> SendDocument {
        var document = self
        document.text = fields.text ?? other.text
        document.url = fields.url ?? other.url
        document.session = fields.session ?? other.session
        for (_, path) in ContentLayout.texts {
            document.layout[keyPath: path] = layout[keyPath: path] ?? other.layout[keyPath: path]
        }
        document.image = fields.image ?? (fields.imageData == nil ? other.image : nil)
        document.keepMetadata = fields.keepMetadata ?? other.keepMetadata
        document.summary = fields.summary ?? other.summary
        document.accessibilityLabel = fields.accessibilityLabel ?? other.accessibilityLabel
        document.app = fields.app ?? other.app
        document.next = fields.next ?? other.next
        document.replacing = fields.replacing ?? other.replacing
        document.wait = fields.wait ?? other.wait
        document.timeout = fields.timeout ?? other.timeout
        return document
    }
}
