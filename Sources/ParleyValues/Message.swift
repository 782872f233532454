public import Foundation

/// A message: a head of its session.
public struct Message: Hashable, Sendable {
    /// The session of the message.
    public let session: SessionID
    /// The identity of the message.
    public let id: MessageID
    /// The revision: 1 for the first message of a session, and one more for each replacement.
    public let revision: UInt64
    /// The participant who wrote the message.
    public let sender: Participant
    /// The time of sending by the sender's clock; for display only.
    public let sentAt: Date
    /// The content; nil if this node cannot open the message.
    public private(set) var content: MessageContent?
    /// The participants who may replace the message; empty means anybody.
    public let next: [UUID]
    /// Whether the session has other heads beside this one.
    public let isConflict: Bool
    /// Whether the message ends its session.
    public let isEnd: Bool
    /// The rule of its game that the message breaks; nil if it breaks none that is known here.
    public let fault: Match.Fault?

    /// The picture of the layout.
    public var picture: PictureInfo? { content?.layout?.image }

    /// Makes a message; a picture belongs to a layout.
    package init(
        session: SessionID,
        id: MessageID,
        revision: UInt64,
        sender: Participant,
        sentAt: Date,
        content: MessageContent?,
        next: [UUID] = [],
        isConflict: Bool = false,
        isEnd: Bool = false,
        fault: Match.Fault? = nil,
        picture: PictureInfo? = nil
    ) {
        self.session = session
        self.id = id
        self.revision = revision
        self.sender = sender
        self.sentAt = sentAt
        self.content = content
        self.content?.layout?.image = picture
        self.next = next
        self.isConflict = isConflict
        self.isEnd = isEnd
        self.fault = fault
    }
}

/// In JSON, the fields of the content stand beside the message's own, and fields that say nothing
/// are absent.
extension Message: Codable {
    private enum Field: CodingKey {
        case kind, session, id, revision, sender, sentAt, next, conflict, end, fault, unreadable
    }

    /// Reads the JSON of `/v1`.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let isUnreadable = try fields.decodeIfPresent(Bool.self, forKey: .unreadable) ?? false
        session = try fields.decode(SessionID.self, forKey: .session)
        id = try fields.decode(MessageID.self, forKey: .id)
        revision = try fields.decode(UInt64.self, forKey: .revision)
        sender = try fields.decode(Participant.self, forKey: .sender)
        sentAt = try fields.decode(Date.self, forKey: .sentAt)
        content = isUnreadable ? nil : try MessageContent(from: decoder)
        next = try fields.decodeIfPresent([UUID].self, forKey: .next) ?? []
        isConflict = try fields.decodeIfPresent(Bool.self, forKey: .conflict) ?? false
        isEnd = try fields.decodeIfPresent(Bool.self, forKey: .end) ?? false
        fault = try fields.decodeIfPresent(Match.Fault.self, forKey: .fault)
    }

    /// Writes the JSON of `/v1`.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode("message", forKey: .kind)
        try fields.encode(session, forKey: .session)
        try fields.encode(id, forKey: .id)
        try fields.encode(revision, forKey: .revision)
        try fields.encode(sender, forKey: .sender)
        try fields.encode(sentAt, forKey: .sentAt)
        if !next.isEmpty { try fields.encode(next, forKey: .next) }
        try fields.encode(isConflict, forKey: .conflict)
        if isEnd { try fields.encode(true, forKey: .end) }
        try fields.encodeIfPresent(fault, forKey: .fault)
        if content == nil { try fields.encode(true, forKey: .unreadable) }
        try content?.encode(to: encoder)
    }
}
