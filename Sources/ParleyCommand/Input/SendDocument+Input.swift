import ParleyAPI
import ParleyNode

extension SendDocument {
    /// The document with the picture of `image`, after the checks that need no node.
    ///
    /// - Throws: a `Problem` if the document or the picture is not valid.
    func withPicture() throws(Problem) -> SendDocument {
        let characters = url?.count ?? 0
        guard characters <= MessageLimits.urlCharacters else {
            throw Problem(
                .tooLarge,
                "The URL has \(characters) characters; at most \(MessageLimits.urlCharacters) are "
                    + "allowed.",
                hint: "Make it shorter and send again."
            )
        }
        var document = self
        if let image {
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
        document.url = url ?? other.url
        document.session = session ?? other.session
        document.caption = caption ?? other.caption
        document.subcaption = subcaption ?? other.subcaption
        document.trailingCaption = trailingCaption ?? other.trailingCaption
        document.trailingSubcaption = trailingSubcaption ?? other.trailingSubcaption
        document.image = image ?? (imageData == nil ? other.image : nil)
        document.keepMetadata = keepMetadata ?? other.keepMetadata
        document.imageTitle = imageTitle ?? other.imageTitle
        document.imageSubtitle = imageSubtitle ?? other.imageSubtitle
        document.summary = summary ?? other.summary
        document.accessibilityLabel = accessibilityLabel ?? other.accessibilityLabel
        document.app = app ?? other.app
        document.next = next ?? other.next
        document.replacing = replacing ?? other.replacing
        document.wait = wait ?? other.wait
        document.timeout = timeout ?? other.timeout
        return document
    }
}
