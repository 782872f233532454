package import Foundation
package import ParleyNode

/// A conversation to make.
package struct CreateDocument: Codable, Hashable, Sendable {
    package var name: String

    package init(name: String) {
        self.name = name
    }
}

/// A conversation to join.
package struct JoinDocument: Codable, Hashable, Sendable {
    package var link: String
    /// What to call it here.
    package var name: String?

    package init(link: String, name: String?) {
        self.link = link
        self.name = name
    }
}

/// A message to send: the names are those of the options of `parley send`.
package struct SendDocument: Codable, Hashable, Sendable {
    package var url: String?
    package var session: String?
    package var caption: String?
    package var subcaption: String?
    package var trailingCaption: String?
    package var trailingSubcaption: String?
    package var imageTitle: String?
    package var imageSubtitle: String?
    /// The picture's file; read by the command, never by the node.
    package var image: String?
    /// The picture's bytes in base64, and its media type.
    package var imageData: Data?
    package var imageType: String?
    package var summary: String?
    package var accessibilityLabel: String?
    package var app: String?
    package var next: [String]?
    package var replacing: [String]?
    /// `stored`, or `delivered=N`.
    package var wait: String?
    /// Seconds; 10 if it is left out.
    package var timeout: Double?

    package init() {}
}

/// A message that was sent.
package struct SentDocument: Codable, Hashable, Sendable {
    package var session: String
    package var id: String
    package var revision: UInt64
    package var state: String
    package var nodes: Int
    /// The line of a batch, from 1.
    package var line: Int?

    /// What was sent, and whether that was to wait for other nodes.
    package init(_ sent: SentMessage, isDelivered: Bool, line: Int? = nil) {
        session = sent.session.description
        id = sent.id.description
        revision = sent.revision
        state = isDelivered ? "delivered" : "stored"
        nodes = sent.nodes
        self.line = line
    }
}

extension SendDocument {
    /// The message that is meant, and what to wait for.
    ///
    /// - Throws: `Problem.badInput` that names what is wrong.
    package func draft() throws(Problem) -> (draft: Draft, wait: SendWait) {
        var content = MessageContent()
        content.url = url
        content.app = app
        content.summaryText = summary
        content.accessibilityLabel = accessibilityLabel
        content.layout = layout
        var draft = Draft(session: try sessionID(), content: content)
        if let imageData {
            draft.picture = Picture(type: imageType ?? "", bytes: imageData)
            if draft.content.layout == nil { draft.content.layout = Layout() }
        }
        draft.next = try participants()
        draft.replacing = try messages()
        return (draft, try sendWait())
    }

    private var layout: Layout? {
        let texts = [
            caption, subcaption, trailingCaption, trailingSubcaption, imageTitle, imageSubtitle,
        ]
        guard texts.contains(where: { $0 != nil }) else { return nil }
        var layout = Layout()
        layout.caption = caption
        layout.subcaption = subcaption
        layout.trailingCaption = trailingCaption
        layout.trailingSubcaption = trailingSubcaption
        layout.imageTitle = imageTitle
        layout.imageSubtitle = imageSubtitle
        return layout
    }

    private func sessionID() throws(Problem) -> SessionID {
        guard let session else { return SessionID() }
        guard let uuid = UUID(uuidString: session) else {
            throw .badInput("The session \(session.quoted) is not a UUID.")
        }
        return SessionID(uuid)
    }

    private func participants() throws(Problem) -> [UUID] {
        var uuids: [UUID] = []
        for text in next ?? [] {
            guard let uuid = UUID(uuidString: text) else {
                throw .badInput("The participant \(text.quoted) is not a UUID.")
            }
            uuids.append(uuid)
        }
        return uuids
    }

    private func messages() throws(Problem) -> [MessageID]? {
        guard let replacing else { return nil }
        var ids: [MessageID] = []
        for text in replacing {
            guard let id = MessageID(text) else {
                throw .badInput("The message ID \(text.quoted) is malformed.")
            }
            ids.append(id)
        }
        return ids
    }

    private func sendWait() throws(Problem) -> SendWait {
        guard let wait, wait != "stored" else { return .stored }
        let parts = wait.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "delivered", let nodes = Int(parts[1]), nodes > 0
        else {
            throw .badInput("\(wait.quoted) is neither stored nor delivered=N with N above 0.")
        }
        let seconds = timeout ?? 10
        guard seconds > 0, seconds <= 86_400 else {
            throw .badInput("The timeout must be above 0 and at most 86400 seconds.")
        }
        return .delivered(nodes: nodes, timeout: .milliseconds(Int(seconds * 1_000)))
    }
}

extension String {
    /// In quotation marks, and not too long for a sentence.
    var quoted: String { "\"\(prefix(64))\(count > 64 ? "…" : "")\"" }
}
