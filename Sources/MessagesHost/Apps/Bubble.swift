public import Foundation
public import ParleyNode

/// One entry of a transcript as a page or a terminal draws it: names are in the texts.
public struct Bubble: Hashable, Sendable, Identifiable {
    /// What kind of entry it is.
    public enum Kind: Hashable, Sendable {
        /// The shown message of its session.
        case message
        /// The line that a replaced message left.
        case summary
    }

    /// What it is.
    public let kind: Kind
    /// The message.
    public let id: MessageID
    /// Its session.
    public let session: SessionID
    /// Who wrote it.
    public let sender: Participant
    /// Whether this device wrote it.
    public let isMine: Bool
    /// By the sender's clock.
    public let sentAt: Date
    /// The app name in the message.
    public let app: String?
    /// Its URL, byte for byte.
    public let url: String?
    /// Its texts with names in them; nil for a summary, or if it has no layout.
    public let layout: Layout?
    /// The picture, whose bytes the node has or waits for.
    public let picture: PictureInfo?
    /// What says it in one line.
    public let line: String
    /// What a screen reader says.
    public let accessibilityLabel: String?
    /// Whether there are other heads beside it.
    public let isConflict: Bool
    /// Whether it cannot be read here.
    public let isUnreadable: Bool
    /// Who may replace it; empty: anybody.
    public let next: [UUID]
}

extension Bubble {
    init(_ message: Message, isMine: Bool, names: NameTokens) {
        let content = message.content
        let layout = content?.layout.map { $0.resolved(names) }
        let summary = content?.summaryText.map(names.resolved)
        kind = .message
        id = message.id
        session = message.session
        sender = message.sender
        self.isMine = isMine
        sentAt = message.sentAt
        app = content?.app
        url = content?.url
        self.layout = layout
        picture = message.picture
        line = Self.line(content, layout, summary)
        accessibilityLabel = content?.accessibilityLabel.map(names.resolved)
        isConflict = message.isConflict
        isUnreadable = content == nil
        next = message.next
    }

    init(_ summary: Summary, isMine: Bool, names: NameTokens) {
        kind = .summary
        id = summary.id
        session = summary.session
        sender = summary.sender
        self.isMine = isMine
        sentAt = summary.sentAt
        app = nil
        url = nil
        layout = nil
        picture = nil
        line = summary.summaryText.map(names.resolved) ?? "A message"
        accessibilityLabel = nil
        isConflict = false
        isUnreadable = false
        next = []
    }

    private static func line(
        _ content: MessageContent?,
        _ layout: Layout?,
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

extension Layout {
    fileprivate func resolved(_ names: NameTokens) -> Layout {
        var layout = self
        layout.caption = caption.map(names.resolved)
        layout.subcaption = subcaption.map(names.resolved)
        layout.trailingCaption = trailingCaption.map(names.resolved)
        layout.trailingSubcaption = trailingSubcaption.map(names.resolved)
        layout.imageTitle = imageTitle.map(names.resolved)
        layout.imageSubtitle = imageSubtitle.map(names.resolved)
        return layout
    }
}
