public import Foundation

/// The messages that a search has found.
public struct SearchResult: Hashable, Sendable, Codable {
    /// The messages, the latest by its author's clock first.
    public let hits: [SearchHit]
    /// Whether there are others, earlier than these.
    public let hasMore: Bool
    /// Whether all messages were looked through; beyond 64 MiB of text some are not.
    public let isComplete: Bool

    package init(hits: [SearchHit] = [], hasMore: Bool = false, isComplete: Bool = true) {
        self.hits = hits
        self.hasMore = hasMore
        self.isComplete = isComplete
    }
}

/// A shown message with the words of a search.
public struct SearchHit: Hashable, Sendable, Codable {
    /// The conversation's name on this node.
    public let conversation: String
    /// The session of the message.
    public let session: SessionID
    /// The participant who wrote the message.
    public let sender: Participant
    /// The time of sending by the sender's clock.
    public let sentAt: Date
    /// The part of the text around the first word, at most 120 characters, with names.
    public let text: String

    package init(
        conversation: String,
        session: SessionID,
        sender: Participant,
        sentAt: Date,
        text: String
    ) {
        self.conversation = conversation
        self.session = session
        self.sender = sender
        self.sentAt = sentAt
        self.text = text
    }
}
