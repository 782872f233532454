package import Foundation

/// A message or a summary as `transcript --json` prints it; fields without a value are left out.
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
    /// The message that this one puts a sticker on, and the position there.
    package var placement: PlacementDocument?
    package var conflict: Bool?
    package var next: [String]?
    /// Present and true if this node cannot open the message.
    package var unreadable: Bool?
    /// Present and true if the message ends its session.
    package var end: Bool?

    package init(
        kind: String,
        session: String,
        id: String,
        revision: UInt64,
        sender: SenderDocument,
        sentAt: Date,
        url: String? = nil,
        summaryText: String? = nil,
        accessibilityLabel: String? = nil,
        app: String? = nil,
        layout: LayoutDocument? = nil,
        placement: PlacementDocument? = nil,
        conflict: Bool? = nil,
        next: [String]? = nil,
        unreadable: Bool? = nil,
        end: Bool? = nil
    ) {
        self.kind = kind
        self.session = session
        self.id = id
        self.revision = revision
        self.sender = sender
        self.sentAt = sentAt
        self.url = url
        self.summaryText = summaryText
        self.accessibilityLabel = accessibilityLabel
        self.app = app
        self.layout = layout
        self.placement = placement
        self.conflict = conflict
        self.next = next
        self.unreadable = unreadable
        self.end = end
    }
}

/// A page of a transcript.
package struct TranscriptDocument: Codable, Hashable, Sendable {
    /// Oldest first.
    package var entries: [EntryDocument]
    /// The cursor in the request for the page that follows in the same direction; nil if there is
    /// none.
    package var next: String?

    package init(entries: [EntryDocument], next: String? = nil) {
        self.entries = entries
        self.next = next
    }
}

/// The sender of a message.
package struct SenderDocument: Codable, Hashable, Sendable {
    package var device: String
    package var participant: String
    package var name: String?

    package init(device: String, participant: String, name: String? = nil) {
        self.device = device
        self.participant = participant
        self.name = name
    }
}

/// The layout of a message.
package struct LayoutDocument: Codable, Hashable, Sendable {
    package var caption: String?
    package var subcaption: String?
    package var trailingCaption: String?
    package var trailingSubcaption: String?
    package var imageTitle: String?
    package var imageSubtitle: String?
    package var image: ImageDocument?
    /// Present and true if the app draws the bubble itself.
    package var live: Bool?

    package init(
        caption: String? = nil,
        subcaption: String? = nil,
        trailingCaption: String? = nil,
        trailingSubcaption: String? = nil,
        imageTitle: String? = nil,
        imageSubtitle: String? = nil,
        image: ImageDocument? = nil,
        live: Bool? = nil
    ) {
        self.caption = caption
        self.subcaption = subcaption
        self.trailingCaption = trailingCaption
        self.trailingSubcaption = trailingSubcaption
        self.imageTitle = imageTitle
        self.imageSubtitle = imageSubtitle
        self.image = image
        self.live = live
    }
}

/// The picture of a layout.
package struct ImageDocument: Codable, Hashable, Sendable {
    package var sha256: String
    package var type: String
    package var bytes: Int
    /// Whether this node has the bytes.
    package var here: Bool

    package init(sha256: String, type: String, bytes: Int, here: Bool) {
        self.sha256 = sha256
        self.type = type
        self.bytes = bytes
        self.here = here
    }
}

/// Everything that this node has of a session, as `show` prints it.
package struct SessionDocument: Codable, Hashable, Sendable {
    package var conversation: String
    package var session: String
    package var shown: EntryDocument
    package var others: [EntryDocument]
    package var replaced: [EntryDocument]

    /// The messages that the shown one has replaced, oldest first, and the heads that lost to it.
    package var history: [EntryDocument] { replaced + others }

    package init(
        conversation: String,
        session: String,
        shown: EntryDocument,
        others: [EntryDocument],
        replaced: [EntryDocument]
    ) {
        self.conversation = conversation
        self.session = session
        self.shown = shown
        self.others = others
        self.replaced = replaced
    }
}

/// A session with more than one head.
package struct ConflictDocument: Codable, Hashable, Sendable {
    package var conversation: String
    package var session: String
    package var shown: EntryDocument
    package var others: [EntryDocument]

    package init(
        conversation: String,
        session: String,
        shown: EntryDocument,
        others: [EntryDocument]
    ) {
        self.conversation = conversation
        self.session = session
        self.shown = shown
        self.others = others
    }
}
