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
        var draft =
            if let text = fields.text { try textDraft(text) } else { try messageDraft() }
        if let session = values.session { draft.session = SessionID(session) }
        draft.next = values.next
        // A text in a chosen session, or with others as next, is not its author's alone.
        draft.isOwn = draft.isOwn && values.session == nil && values.next.isEmpty
        draft.replacing = try messages()
        guard let nodes = values.nodes else { return (draft, .stored) }
        return values.areLinked
            ? (draft, .linked(nodes: nodes, timeout: values.timeout))
            : (draft, .delivered(nodes: nodes, timeout: values.timeout))
    }

    /// The draft of a text, as the page makes it.
    private func textDraft(_ text: String) throws(Problem) -> Draft {
        do throws(HostError) {
            return try OutgoingMessage.draft(text: text)
        } catch {
            throw Problem(error)
        }
    }

    /// The draft of a message of an app, or of none.
    private func messageDraft() throws(Problem) -> Draft {
        var content = MessageContent()
        content.url = fields.url
        content.app = fields.app
        content.summaryText = fields.summary
        content.accessibilityLabel = fields.accessibilityLabel
        if !layout.texts.isEmpty || fields.imageData != nil { content.layout = layout }
        var draft = Draft(session: SessionID(), content: content)
        draft.picture = try fields.imageData.map(picture)
        return draft
    }

    /// The picture after the reader's check, without metadata unless the document keeps them.
    private func picture(_ bytes: Data) throws(Problem) -> Picture {
        guard let imageType = fields.imageType, imageType.hasPrefix("image/") else {
            return Picture(type: fields.imageType ?? "", bytes: bytes)
        }
        do throws(ImageError) {
            let image = try EncodedImage(bytes)
            let sent = fields.keepMetadata == true ? image : image.withoutMetadata
            return Picture(type: image.format.mediaType, bytes: sent.data)
        } catch {
            throw Problem(.notAPicture(name: "The picture", reason: error.description))
        }
    }

    private func messages() throws(Problem) -> [MessageID]? {
        try fields.replacing?.map { text throws(Problem) in
            if let id = MessageID(text) { return id }
            throw .badInput(
                "The message ID \(text.quoted) is malformed.",
                hint: "parley show SESSION has the IDs of a session's messages."
            )
        }
    }
}
