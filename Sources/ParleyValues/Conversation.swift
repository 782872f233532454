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
    /// The other devices that share the conversation, as links and cards tell, with or without
    /// messages here.
    package private(set) var sharing: [Participant] = []
    /// The number of other devices of writers and readers, as far as they are known.
    package var everybody = 0
    /// The IDs of the devices with the present keys; empty if the keys never changed.
    package var members: Set<String> = []
    /// Why this device has no part in the present keys; nil for a member.
    package var absence: Absence?
    /// The number of sessions on this node; present in the list of all conversations only, as the
    /// next two.
    package var sessions: Int?
    /// The bytes of the present messages and of the pictures that they list.
    package var bytes: Int?
    /// When something of it was stored here last; nil if that is not known.
    package var lastActivity: Date?

    private enum CodingKeys: String, CodingKey {
        case name, id, role, participants, me, sessions, bytes, lastActivity, absence
        case isOpen = "open"
    }

    package init(
        name: String,
        id: String,
        role: Role,
        isOpen: Bool,
        participants: [Participant],
        me: Participant,
        sharing: [Participant] = []
    ) {
        self.name = name
        self.id = id
        self.role = role
        self.isOpen = isOpen
        self.participants = participants
        self.me = me
        self.sharing = sharing
    }

    /// Whether a device is a member, as far as that is known here.
    package func isMember(_ device: String) -> Bool {
        members.isEmpty || members.contains(device)
    }
}

/// The reason why a device has no part in the present keys of a conversation.
package struct Absence: Hashable, Sendable, Codable {
    /// Whether the keys were changed without this device; otherwise its keys have not come yet.
    package let isThrownOut: Bool
    /// The name, or the beginning of the ID, of who changed them; nil if unknown.
    package let by: String?

    private enum CodingKeys: String, CodingKey {
        case isThrownOut = "thrownOut"
        case by
    }

    package init(isThrownOut: Bool, by: String?) {
        self.isThrownOut = isThrownOut
        self.by = by
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
    /// The state of an invite that ends; nil for one with the keys.
    package let ending: InviteDetail?

    private enum CodingKeys: String, CodingKey {
        case link = "invite"
        case role, conversation, ending
    }

    package init(
        link: String,
        role: Role,
        conversation: String,
        ending: InviteDetail? = nil
    ) {
        self.link = link
        self.role = role
        self.conversation = conversation
        self.ending = ending
    }
}

/// An invite of this node that ends by time, by uses, or because it is revoked.
package struct InviteDetail: Hashable, Sendable, Codable {
    /// Whether somebody can still come.
    package enum State: String, Hashable, Sendable, Codable {
        case open, ended, usedUp, revoked
    }

    /// A device that came by the invite.
    package struct Guest: Hashable, Sendable, Codable {
        package let device: String
        package let name: String

        package init(device: String, name: String) {
            self.device = device
            self.name = name
        }
    }

    /// The seconds that an invite may last.
    package static let secondsAllowed: ClosedRange<UInt64> = 60...31_536_000
    /// The devices that may come by an invite.
    package static let usesAllowed: ClosedRange<UInt32> = 1...256

    /// The number on this node, from 1.
    package let number: Int
    package let conversation: String
    package let role: Role
    package let state: State
    /// The devices that may come, those that came included.
    package let uses: Int
    private let milliseconds: Milliseconds?
    /// The devices that came, in order.
    package let came: [Guest]

    /// The end by the wall clock; nil without an end.
    package var ends: Date? { milliseconds?.date }

    private enum CodingKeys: String, CodingKey {
        case number, conversation, role, state, uses, came
        case milliseconds = "ends"
    }

    /// An invite with those who came by it; `ends` is rounded to milliseconds.
    package init(
        number: Int,
        conversation: String,
        role: Role,
        state: State,
        uses: Int,
        ends: Date?,
        came: [Guest]
    ) {
        self.number = number
        self.conversation = conversation
        self.role = role
        self.state = state
        self.uses = uses
        milliseconds = ends.map { Milliseconds($0) }
        self.came = came
    }
}
