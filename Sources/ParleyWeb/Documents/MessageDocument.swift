package import Foundation
package import ParleyNode

/// A message or a summary as `transcript --json` prints it; absent values are left out.
package struct EntryDocument: Codable, Hashable, Sendable {
    package var kind: String
    package var session: String
    package var id: String
    package var revision: UInt64
    package var sender: SenderDocument
    package var sentAt: Date
    package var url: String?
    package var summaryText: String?
    package var accessibilityLabel: String?
    package var app: String?
    package var layout: LayoutDocument?
    package var conflict: Bool?
    package var next: [String]?
    /// Present, and true, when the message cannot be opened here.
    package var unreadable: Bool?
    /// Present, and true, when the message ends its session.
    package var end: Bool?

    package init(_ message: Message) {
        kind = "message"
        session = message.session.description
        id = message.id.description
        revision = message.revision
        sender = SenderDocument(message.sender)
        sentAt = message.sentAt
        url = message.content?.url
        summaryText = message.content?.summaryText
        accessibilityLabel = message.content?.accessibilityLabel
        app = message.content?.app
        layout = message.content?.layout.map { LayoutDocument($0, message.picture) }
        conflict = message.isConflict
        next = message.next.isEmpty ? nil : message.next.map(\.uuidString)
        unreadable = message.content == nil ? true : nil
        end = message.isEnd ? true : nil
    }

    package init(_ summary: Summary) {
        kind = "summary"
        session = summary.session.description
        id = summary.id.description
        revision = summary.revision
        sender = SenderDocument(summary.sender)
        sentAt = summary.sentAt
        summaryText = summary.summaryText
    }

    package init(_ entry: TranscriptEntry) {
        switch entry {
        case .message(let message): self.init(message)
        case .summary(let summary): self.init(summary)
        }
    }
}

/// Who sent a message.
package struct SenderDocument: Codable, Hashable, Sendable {
    package var device: String
    package var participant: String
    package var name: String?

    package init(_ participant: Participant) {
        device = participant.device
        self.participant = participant.id.uuidString
        name = participant.name
    }
}

/// How a message looks.
package struct LayoutDocument: Codable, Hashable, Sendable {
    package var caption: String?
    package var subcaption: String?
    package var trailingCaption: String?
    package var trailingSubcaption: String?
    package var imageTitle: String?
    package var imageSubtitle: String?
    package var image: ImageDocument?
    /// Present, and true, when the app draws the bubble itself.
    package var live: Bool?

    /// The layout with the picture that the message describes.
    package init(_ layout: Layout, _ picture: PictureInfo?) {
        caption = layout.caption
        subcaption = layout.subcaption
        trailingCaption = layout.trailingCaption
        trailingSubcaption = layout.trailingSubcaption
        imageTitle = layout.imageTitle
        imageSubtitle = layout.imageSubtitle
        image = picture.map(ImageDocument.init)
        live = layout.isLive ? true : nil
    }
}

/// The picture of a layout.
package struct ImageDocument: Codable, Hashable, Sendable {
    package var sha256: String
    package var type: String
    package var bytes: Int
    /// Whether the bytes have arrived.
    package var here: Bool

    package init(_ picture: PictureInfo) {
        sha256 = picture.sha256
        type = picture.type
        bytes = picture.bytes
        here = picture.isHere
    }
}

/// Everything that is here of a session: what `show` prints.
package struct SessionDocument: Codable, Hashable, Sendable {
    package var conversation: String
    package var session: String
    package var shown: EntryDocument
    package var others: [EntryDocument]
    package var replaced: [EntryDocument]

    package init(_ detail: SessionDetail) {
        conversation = detail.conversation
        session = detail.session.description
        shown = EntryDocument(detail.shown)
        others = detail.others.map(EntryDocument.init)
        replaced = detail.replaced.map(EntryDocument.init)
    }
}

/// A session with more than one head.
package struct ConflictDocument: Codable, Hashable, Sendable {
    package var conversation: String
    package var session: String
    package var shown: EntryDocument
    package var others: [EntryDocument]

    package init(_ conflict: Conflict) {
        conversation = conflict.conversation
        session = conflict.session.description
        shown = EntryDocument(conflict.shown)
        others = conflict.others.map(EntryDocument.init)
    }
}
