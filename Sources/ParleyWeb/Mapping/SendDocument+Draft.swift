import Foundation
import Messages
import MessagesHost
import ParleyAPI
import ParleyNode

extension SendDocument {
    /// The draft of the message, and the condition to wait for.
    ///
    /// - Throws: `Problem.badInput`, which names the wrong field, or `notAnImage`.
    func draft() throws(Problem) -> (draft: Draft, wait: SendWait) {
        let values = try values()
        var content = MessageContent()
        content.url = url
        content.app = app
        content.summaryText = summary
        content.accessibilityLabel = accessibilityLabel
        content.layout = layout
        var draft = Draft(
            session: values.session.map { SessionID($0) } ?? SessionID(),
            content: content
        )
        if let imageData {
            draft.picture = try picture(imageData)
            if draft.content.layout == nil { draft.content.layout = ContentLayout() }
        }
        draft.next = values.next
        draft.replacing = try messages()
        guard let nodes = values.nodes else { return (draft, .stored) }
        return (draft, .delivered(nodes: nodes, timeout: values.timeout))
    }

    /// The picture after the reader's check, without metadata unless the document keeps them.
    private func picture(_ bytes: Data) throws(Problem) -> Picture {
        guard let imageType, imageType.hasPrefix("image/") else {
            return Picture(type: imageType ?? "", bytes: bytes)
        }
        do throws(ImageError) {
            let image = try EncodedImage(bytes)
            let sent = keepMetadata == true ? image : image.withoutMetadata
            return Picture(type: image.format.mediaType, bytes: sent.data)
        } catch {
            throw Problem(.notAPicture(name: "The picture", reason: error.description))
        }
    }

    private var layout: ContentLayout? {
        let texts = [
            caption, subcaption, trailingCaption, trailingSubcaption, imageTitle, imageSubtitle,
        ]
        guard texts.contains(where: { $0 != nil }) else { return nil }
        var layout = ContentLayout()
        layout.caption = caption
        layout.subcaption = subcaption
        layout.trailingCaption = trailingCaption
        layout.trailingSubcaption = trailingSubcaption
        layout.imageTitle = imageTitle
        layout.imageSubtitle = imageSubtitle
        return layout
    }

    private func messages() throws(Problem) -> [MessageID]? {
        guard let replacing else { return nil }
        var ids: [MessageID] = []
        for text in replacing {
            guard let id = MessageID(text) else {
                throw .badInput(
                    "The message ID \(text.quoted) is malformed.",
                    hint: "parley show SESSION has the IDs of a session's messages."
                )
            }
            ids.append(id)
        }
        return ids
    }
}
