/// A member of a conversation whose key and role are proven.
package struct Member: Hashable, Sendable, Codable {
    /// The device ID.
    package let device: String
    /// The name of the device; nil if unknown.
    package let name: String?
    package let role: Role
    /// Whether this is the device of this node.
    package let isOwn: Bool
    /// Whether the device stands higher than this node's, and can undo its removal.
    package let standsHigher: Bool
    /// The name, or the beginning of the ID, of the device that let it in; nil if nobody did, as
    /// with the creator, or if that is unknown.
    package let invitedBy: String?
    /// The person to whom the device belongs; nil if unknown.
    package let person: PersonOfDevice?

    private enum CodingKeys: String, CodingKey {
        case device, name, role, standsHigher, invitedBy, person
        case isOwn = "own"
    }

    package init(
        device: String,
        name: String?,
        role: Role,
        isOwn: Bool,
        standsHigher: Bool,
        invitedBy: String?,
        person: PersonOfDevice? = nil
    ) {
        self.device = device
        self.name = name
        self.role = role
        self.isOwn = isOwn
        self.standsHigher = standsHigher
        self.invitedBy = invitedBy
        self.person = person
    }
}

/// The state after a change of a conversation's keys, or the one that a change would bring.
package struct KeyChange: Hashable, Sendable, Codable {
    package let conversation: String
    /// The number of the keys, from 1.
    package let generation: Int
    /// The members with the new keys, or to get them on their return.
    package let stays: [Member]
    /// The members of before that are out.
    package let goes: [Member]

    package init(conversation: String, generation: Int, stays: [Member], goes: [Member]) {
        self.conversation = conversation
        self.generation = generation
        self.stays = stays
        self.goes = goes
    }
}
