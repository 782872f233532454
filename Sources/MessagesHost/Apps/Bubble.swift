public import Foundation
public import ParleyNode

/// One entry of a transcript as a page or a terminal draws it, with names filled into the texts.
public struct Bubble: Hashable, Sendable, Identifiable {
    /// The kind of an entry.
    public enum Kind: Hashable, Sendable {
        /// The shown message of its session.
        case message
        /// The summary that a replaced message left.
        case summary
    }

    /// The kind of the entry.
    public let kind: Kind
    /// The message.
    public let id: MessageID
    /// Its session.
    public let session: SessionID
    /// The revision of the message.
    public let revision: UInt64
    /// The author of the message.
    public let sender: Participant
    /// Whether this device wrote it.
    public let isMine: Bool
    /// The time of sending by the sender's clock.
    public let sentAt: Date
    /// The app name in the message.
    public let app: String?
    /// The URL of the message, byte for byte.
    public let url: String?
    /// The layout with names filled in; nil for a summary, or if the message has no layout.
    public let layout: ContentLayout?
    /// The picture, whose bytes may still be on their way to the node.
    public let picture: PictureInfo?
    /// The file that the message offers.
    public let file: FileInfo?
    /// The entry as one line of text.
    public let line: String
    /// The text that a screen reader speaks.
    public let accessibilityLabel: String?
    /// The session that the message replies to.
    public let reply: SessionID?
    /// Whether this is a text that its author has changed.
    public let isEdited: Bool
    /// Whether the session has other heads as well.
    public let isConflict: Bool
    /// Whether this node cannot read the message.
    public let isUnreadable: Bool
    /// Whether the message ends its session.
    public let isEnd: Bool
    /// The participants who may replace the message; if empty, everybody may.
    public let next: [UUID]
    /// Whether this device has the turn after the message.
    public let isMyTurn: Bool
    /// The stickers on the message, the oldest first.
    public let stickers: [PlacedSticker]
    /// The reactions to the message, the oldest first.
    public let reactions: [Reaction]
    /// The match of the message; nil if the message is not of one.
    public let match: ParleyMatch?
}

extension Bubble {
    init(
        _ message: Message,
        isMine: Bool,
        names: NameTokens,
        isMyTurn: Bool = false,
        stickers: [PlacedSticker] = [],
        reactions: [Reaction] = [],
        match: ParleyMatch? = nil,
        reason: String? = nil
    ) {
        let content = message.content
        var layout = content?.layout?.mapTexts(names.resolved)
        // The caption of an attachment is the name of its file.
        if content?.app == OutgoingMessage.attachmentApp, let name = layout?.caption {
            layout?.caption = name.shownName
        }
        if let text = content?.text { layout?.caption = text }
        if let reason {
            layout?.subcaption = "The move does not count. \(reason)"
        } else if let match, layout?.trailingSubcaption == nil {
            layout?.trailingSubcaption = names.resolved(match.line)
        }
        let summary = content?.summaryText.map(names.resolved)
        kind = .message
        id = message.id
        session = message.session
        revision = message.revision
        sender = message.sender
        self.isMine = isMine
        sentAt = message.sentAt
        app = content?.app?.shownName
        url = content?.url
        self.layout = layout
        picture = message.picture
        file = content?.file
        line = Self.line(content, layout, summary)
        accessibilityLabel = content?.accessibilityLabel.map(names.resolved)
        reply = content?.reply
        isEdited =
            content?.app == OutgoingMessage.textApp && message.revision > 1 && !message.isEnd
        isConflict = message.isConflict
        isUnreadable = content == nil
        isEnd = message.isEnd
        next = message.next
        self.isMyTurn = isMyTurn
        self.stickers = stickers
        self.reactions = reactions
        self.match = match
    }

    init(_ summary: Summary, isMine: Bool, names: NameTokens) {
        kind = .summary
        id = summary.id
        session = summary.session
        revision = summary.revision
        sender = summary.sender
        self.isMine = isMine
        sentAt = summary.sentAt
        app = nil
        url = nil
        layout = nil
        picture = nil
        file = nil
        line = summary.summaryText.map(names.resolved) ?? "A message"
        accessibilityLabel = nil
        reply = nil
        isEdited = false
        isConflict = false
        isUnreadable = false
        isEnd = false
        next = []
        isMyTurn = false
        stickers = []
        reactions = []
        match = nil
    }

    private static func line(
        _ content: MessageContent?,
        _ layout: ContentLayout?,
        _ summary: String?
    ) -> String {
        guard let content else { return "A message that cannot be read here" }
        let texts = [
            layout?.caption, layout?.imageTitle, summary, layout?.subcaption,
            content.accessibilityLabel,
        ]
        return texts.lazy.compactMap(\.self).first { !$0.isEmpty } ?? "A message"
    }
}
