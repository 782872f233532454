public import Foundation

/// One line of what a person sees of a conversation.
public enum TranscriptEntry: Hashable, Sendable {
    /// The latest message of a session.
    case message(Message)
    /// What a replaced message left behind.
    case summary(Summary)
}

/// The line that a replaced message leaves at its old place.
public struct Summary: Hashable, Sendable {
    /// The session of the message.
    public let session: SessionID
    /// The message that was replaced.
    public let id: MessageID
    /// Its revision.
    public let revision: UInt64
    /// Who wrote it.
    public let sender: Participant
    /// By the sender's clock.
    public let sentAt: Date
    /// Its summary, if it had one.
    public let summaryText: String?
}

/// A session with more than one head.
public struct Conflict: Hashable, Sendable {
    /// The conversation's name on this node.
    public let conversation: String
    /// The session.
    public let session: SessionID
    /// The head that everybody sees.
    public let shown: Message
    /// The others, kept until a later message replaces them.
    public let others: [Message]
}

/// Everything that this node has of a session.
public struct SessionDetail: Hashable, Sendable {
    /// The conversation's name on this node.
    public let conversation: String
    /// The session.
    public let session: SessionID
    /// The message that everybody sees.
    public let shown: Message
    /// Other heads, if there is a conflict.
    public let others: [Message]
    /// What this node has seen replaced, oldest first; at most 16.
    public let replaced: [Summary]

    package init(
        conversation: String,
        session: SessionID,
        shown: Message,
        others: [Message],
        replaced: [Summary]
    ) {
        self.conversation = conversation
        self.session = session
        self.shown = shown
        self.others = others
        self.replaced = replaced
    }
}
