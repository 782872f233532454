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
    /// The devices whose messages this node has, including its own device if it may write.
    public let participants: [Participant]
    /// This node's own device as a participant, whether it may write or not.
    public let me: Participant
    /// The other devices that share the conversation on a link now, whether this node has messages
    /// of them or not.
    package private(set) var linked: [Participant] = []

    private enum CodingKeys: String, CodingKey {
        case name, id, role, participants, me
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

/// A conversation and what this node keeps of it.
package struct KeptConversation: Hashable, Sendable {
    package let conversation: Conversation
    package let amount: Amount

    /// What this node keeps; in JSON, the fields stand beside those of the conversation.
    package struct Amount: Hashable, Sendable, Codable {
        package let sessions: Int
        /// Bytes of the present messages and of the pictures that they list.
        package let bytes: Int
        /// When something of it was stored here last; nil if that is not known.
        package let lastActivity: Date?

        package init(sessions: Int, bytes: Int, lastActivity: Date?) {
            self.sessions = sessions
            self.bytes = bytes
            self.lastActivity = lastActivity
        }
    }

    package init(_ conversation: Conversation, _ amount: Amount) {
        self.conversation = conversation
        self.amount = amount
    }
}

extension KeptConversation: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try Conversation(from: decoder), try Amount(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try conversation.encode(to: encoder)
        try amount.encode(to: encoder)
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
