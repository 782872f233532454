package import Foundation

/// The permissions of a device in a conversation.
public enum Role: String, Hashable, Sendable, CaseIterable, Codable {
    /// A writer sends messages and reads them.
    case writer
    /// A reader reads messages.
    case reader
    /// A relay stores and forwards messages that it cannot read.
    case relay
}

/// A conversation as this node knows it.
public struct Conversation: Hashable, Sendable, Codable {
    /// The name of the conversation on this node.
    public let name: String
    /// The conversation ID, 64 hexadecimal digits, the same on every node.
    public let id: String
    /// The role of this node.
    public let role: Role
    /// Whether the conversation is open: everybody who knows its public name can join.
    public let isOpen: Bool
    /// The devices with messages on this node, and the node's own device if it may write.
    public let participants: [Participant]
    /// This node's own device as a participant, whether it may write or not; the guest, where a
    /// guest reads.
    public package(set) var me: Participant
    /// The other devices that share the conversation on a link now, with or without messages here.
    package private(set) var linked: [Participant] = []
    /// The number of sessions on this node; present in the list of all conversations only, as the
    /// next two.
    package var sessions: Int?
    /// The bytes of the present messages and of the pictures that they list.
    package var bytes: Int?
    /// When something of it was stored here last; nil if that is not known.
    package var lastActivity: Date?

    private enum CodingKeys: String, CodingKey {
        case name, id, role, participants, me, sessions, bytes, lastActivity
        case isOpen = "open"
    }

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
public struct Invite: Hashable, Sendable, Codable {
    /// The text of the link, `parley:…` or `open:…`.
    public let link: String
    /// The role that the invite gives.
    public let role: Role
    /// The name of the conversation.
    public let conversation: String

    private enum CodingKeys: String, CodingKey {
        case link = "invite"
        case role, conversation
    }

    package init(link: String, role: Role, conversation: String) {
        self.link = link
        self.role = role
        self.conversation = conversation
    }
}
