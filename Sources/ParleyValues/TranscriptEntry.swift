public import Foundation

/// One entry of the transcript of a conversation.
public enum TranscriptEntry: Hashable, Sendable {
    /// The shown message of a session.
    case message(Message)
    /// The summary of a replaced message.
    case summary(Summary)
}

extension TranscriptEntry {
    /// The message; nil for a summary.
    package var message: Message? {
        if case .message(let message) = self { message } else { nil }
    }

    /// The line that the message has left, or would leave now.
    package var summary: Summary {
        switch self {
        case .message(let message): Summary(message)
        case .summary(let summary): summary
        }
    }
}

/// In JSON, the field `kind` says which of the two an entry is.
extension TranscriptEntry: Codable {
    private enum Field: CodingKey {
        case kind
    }

    /// Reads the JSON of `/v1`.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        switch try fields.decode(String.self, forKey: .kind) {
        case "message": self = .message(try Message(from: decoder))
        case "summary": self = .summary(try Summary(from: decoder))
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .kind,
                in: fields,
                debugDescription: "an unknown kind of entry"
            )
        }
    }

    /// Writes the JSON of `/v1`.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .message(let message): try message.encode(to: encoder)
        case .summary(let summary): try summary.encode(to: encoder)
        }
    }
}

/// The line that a replaced message leaves at its place in the transcript.
public struct Summary: Hashable, Sendable, Codable {
    private var kind = "summary"
    /// The session of the message.
    public let session: SessionID
    /// The identity of the message.
    public let id: MessageID
    /// The revision of the message.
    public let revision: UInt64
    /// The participant who wrote the message.
    public let sender: Participant
    /// The time of sending by the sender's clock.
    public let sentAt: Date
    /// The summary, if the message had one.
    public let summaryText: String?

    package init(
        session: SessionID,
        id: MessageID,
        revision: UInt64,
        sender: Participant,
        sentAt: Date,
        summaryText: String?
    ) {
        self.session = session
        self.id = id
        self.revision = revision
        self.sender = sender
        self.sentAt = sentAt
        self.summaryText = summaryText
    }

    /// Makes the line that a message would leave.
    package init(_ message: Message) {
        self.init(
            session: message.session,
            id: message.id,
            revision: message.revision,
            sender: message.sender,
            sentAt: message.sentAt,
            summaryText: message.content?.summaryText
        )
    }
}

/// A session with more than one head.
public struct Conflict: Hashable, Sendable, Codable {
    /// The conversation's name on this node.
    public let conversation: String
    /// The session.
    public let session: SessionID
    /// The shown head, which is the same on every node with these heads.
    public let shown: Message
    /// The other heads, which are kept until a later message replaces them.
    public let others: [Message]

    package init(
        conversation: String,
        session: SessionID,
        shown: Message,
        others: [Message]
    ) {
        self.conversation = conversation
        self.session = session
        self.shown = shown
        self.others = others
    }
}

/// Everything that this node has of a session.
public struct SessionDetail: Hashable, Sendable, Codable {
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
    /// What this node says of the turn game; nil if there is none.
    public private(set) var match: MatchDetail?
    /// The feed position of the session's latest change.
    package private(set) var position = UInt64.max

    /// The summaries of replaced messages, oldest first, and the heads that lost to the shown one.
    package var history: [TranscriptEntry] {
        replaced.map(TranscriptEntry.summary) + others.map(TranscriptEntry.message)
    }

    private enum CodingKeys: CodingKey {
        case conversation, session, shown, others, replaced, match
    }

    package init(
        conversation: String,
        session: SessionID,
        shown: Message,
        others: [Message],
        replaced: [Summary],
        match: MatchDetail? = nil,
        position: UInt64 = .max
    ) {
        self.conversation = conversation
        self.session = session
        self.shown = shown
        self.others = others
        self.replaced = replaced
        self.match = match
        self.position = position
    }
}
