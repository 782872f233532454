/// A request to throw a lost device out of all conversations of the node.
package struct LostRequest: Codable, Hashable, Sendable {
    /// The name, the ID or the beginning of the ID of a member or a linked device.
    package var device: String
    /// Whether to change nothing, and only say what would be so.
    package var dryRun: Bool?

    package init(device: String, dryRun: Bool? = nil) {
        self.device = device
        self.dryRun = dryRun
    }
}

/// A lost device, and whether it is out of each conversation of the node.
package struct LostDevice: Codable, Hashable, Sendable {
    /// The device ID.
    package var device: String
    /// The name of the device; nil if unknown.
    package var name: String?
    /// The name of the person here, whose key is replaced; nil if the device is somebody else's.
    package var person: String?
    /// The conversations with the device, or to which the device may have invites, in the order of
    /// joining.
    package var conversations: [LostPlace]

    package init(
        device: String,
        name: String?,
        person: String?,
        conversations: [LostPlace]
    ) {
        self.device = device
        self.name = name
        self.person = person
        self.conversations = conversations
    }
}

/// A conversation with a lost device, or to which the device may have an invite.
package struct LostPlace: Codable, Hashable, Sendable {
    /// Whether the device is out, or why not.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// The device is out.
        case out
        /// The device is out, and can undo the change, as it stands higher.
        case undoable
        /// The device is out as soon as one of the others hears of it; nobody is linked now.
        case alone
        /// Everybody can join an open conversation.
        case open
        /// This node is a reader or a relay.
        case readOnly
        /// This node has no part in the present keys.
        case notMember
        /// Nobody's admission of this node's device is known.
        case notAdmitted
        /// Whoever changed the keys without this node stands higher.
        case lower
        /// The disk is full.
        case storeFull
        /// The disk fails.
        case storeFailed
        /// Something else, which the message says.
        case failed
    }

    package var conversation: String
    package var kind: Kind
    /// Sentences for people.
    package var message: String
    /// The remedy if the device is not out, or has let in others.
    package var hint: String?
    /// The number of the new keys, if the device is out.
    package var generation: Int?
    /// The number of members with the new keys, if the device is out.
    package var members: Int?

    /// Whether the keys are changed, or would be.
    package var isOut: Bool { [.out, .undoable, .alone].contains(kind) }

    package init(conversation: String, kind: Kind, message: String) {
        self.conversation = conversation
        self.kind = kind
        self.message = message
    }
}
