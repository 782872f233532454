/// The permissions of a device in a conversation.
public enum Role: String, Hashable, Sendable, CaseIterable {
    /// A writer sends messages and reads them.
    case writer
    /// A reader reads messages.
    case reader
    /// A relay stores and forwards messages that it cannot read.
    case relay
}

/// A conversation as this node knows it.
public struct Conversation: Hashable, Sendable {
    /// The name of the conversation on this node.
    public let name: String
    /// The conversation ID, 64 hexadecimal digits, the same on every node.
    public let id: String
    /// The role of this node.
    public let role: Role
    /// Whether the conversation is open: everybody who knows its public name can join.
    public let isOpen: Bool
    /// The devices whose messages this node has, including its own device if it may write.
    public let participants: [Participant]
    /// This node's own device as a participant, whether it may write or not.
    public let me: Participant
    /// The other devices that share the conversation on a link now, whether this node has messages
    /// of them or not.
    package let linked: [Participant]

    /// Whether a person means this conversation by `text`.
    package func isCalled(_ text: String) -> Bool { name == GivenName.normal(text) }

    package init(
        name: String,
        id: String,
        role: Role,
        isOpen: Bool,
        participants: [Participant],
        me: Participant,
        linked: [Participant] = []
    ) {
        self.name = name
        self.id = id
        self.role = role
        self.isOpen = isOpen
        self.participants = participants
        self.me = me
        self.linked = linked
    }
}

/// A link that lets somebody join a conversation.
public struct Invite: Hashable, Sendable {
    /// The text of the link, `parley:…` or `open:…`.
    public let link: String
    /// The role that the invite gives.
    public let role: Role
    /// The name of the conversation.
    public let conversation: String
}
