/// What somebody may do in a conversation.
public enum Role: String, Hashable, Sendable, CaseIterable {
    /// Sends messages and reads them.
    case writer
    /// Reads messages.
    case reader
    /// Stores and forwards what it cannot read.
    case relay
}

/// A conversation as this node knows it.
public struct Conversation: Hashable, Sendable {
    /// What it is called here.
    public let name: String
    /// 64 hexadecimal digits, the same on every node.
    public let id: String
    /// What this node may do in it.
    public let role: Role
    /// Whether everybody who knows its public name can join.
    public let isOpen: Bool
    /// Devices whose messages are here, this one included if it may write.
    public let participants: [Participant]
    /// This node's own device, as the members see it, whether it may write or not.
    public let me: Participant

    package init(
        name: String,
        id: String,
        role: Role,
        isOpen: Bool,
        participants: [Participant],
        me: Participant
    ) {
        self.name = name
        self.id = id
        self.role = role
        self.isOpen = isOpen
        self.participants = participants
        self.me = me
    }
}

/// A link that lets somebody join a conversation.
public struct Invite: Hashable, Sendable {
    /// `parley:…`, to be shown or passed on.
    public let link: String
    /// What it allows.
    public let role: Role
    /// The conversation's name.
    public let conversation: String
}
