public import Foundation

/// One entry of the transcript of a conversation.
public enum TranscriptEntry: Hashable, Sendable {
    /// The shown message of a session.
    case message(Message)
    /// The summary of a replaced message.
    case summary(Summary)
}

/// The line that a replaced message leaves at its place in the transcript.
public struct Summary: Hashable, Sendable {
    /// The session of the message.
    public let session: SessionID
    /// The message that was replaced.
    public let id: MessageID
    /// The revision of the message.
    public let revision: UInt64
    /// The participant who wrote the message.
    public let sender: Participant
    /// The time of sending by the sender's clock.
    public let sentAt: Date
    /// The summary, if the message had one.
    public let summaryText: String?
}

/// A session with more than one head.
public struct Conflict: Hashable, Sendable {
    /// The conversation's name on this node.
    public let conversation: String
    /// The session.
    public let session: SessionID
    /// The shown head, which is the same on every node with these heads.
    public let shown: Message
    /// The other heads, which are kept until a later message replaces them.
    public let others: [Message]
}

/// Everything that this node has of a session.
public struct SessionDetail: Hashable, Sendable {
    /// The conversation's name on this node.
    public let conversation: String
    /// The session.
    public let session: SessionID
    /// The shown message.
    public let shown: Message
    /// The other heads, if there is a conflict.
    public let others: [Message]
    /// The summaries of replaced messages that this node has, oldest first; at most 16.
    public let replaced: [Summary]
    /// The feed position of the session's latest change.
    package let position: UInt64

    package init(
        conversation: String,
        session: SessionID,
        shown: Message,
        others: [Message],
        replaced: [Summary],
        position: UInt64 = .max
    ) {
        self.conversation = conversation
        self.session = session
        self.shown = shown
        self.others = others
        self.replaced = replaced
        self.position = position
    }
}
