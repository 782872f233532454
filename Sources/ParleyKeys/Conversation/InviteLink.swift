package import ParleyCore

/// An invite: a capability, its conversation, and the name of the conversation at the inviter.
///
/// `docs/protocol.md`, section "Invites", specifies the bytes of an invite link.
package struct InviteLink: Sendable, Equatable {
    /// The way in which an invite names the conversation of its keys.
    package enum Origin: Sendable, Equatable {
        /// The keys are the first ones of a conversation without a creator, and say it.
        case keys
        /// The keys are the first ones of a conversation that the device with this key created.
        case creator(Bytes32)
        /// The keys are later ones.
        case conversation(ConversationID)
    }

    package let capability: Capability
    package let origin: Origin
    package let name: ConversationName
    /// Whether everybody can derive the keys from the name.
    package let isOpen: Bool

    /// An invite that passes on `capability` unreduced; open if `name` yields the same keys.
    package init(_ capability: Capability, of origin: Origin = .keys, name: ConversationName) {
        self.capability = capability
        self.origin = origin
        self.name = name
        isOpen = capability.isOpen(as: name)
    }

    /// An invite to the open conversation called `name`, as a writer.
    package init(openConversation name: ConversationName) {
        self.init(Capability(openConversation: name), name: name)
    }

    /// Reads `parley:…` with keys, or `open:NAME`; space and line ends may surround it.
    package init(parsing text: String) throws(InviteError) {
        guard case .keys(let invite) = try InviteText.parse(text) else {
            throw .unknownVersion(InviteText.knockVersion)
        }
        self = invite
    }

    /// Whether a text is an invite of any kind, from its first to its last character.
    package static func isWhole(_ text: String) -> Bool { (try? InviteText.parse(text)) != nil }

    package var role: Capability.Role { capability.role }

    /// The raw Ed25519 key of the device that created the conversation, if the invite says it.
    package var creator: Bytes32? { if case .creator(let key) = origin { key } else { nil } }

    package var conversationID: ConversationID {
        switch origin {
        case .keys: return capability.conversationID
        case .conversation(let id): return id
        case .creator(let creator):
            let birth = Birth(publicWriteKey: capability.publicWriteKey, creator: creator)
            return ConversationID(SHA256.hash(birth.committed))
        }
    }

    /// The link: `open:NAME` for the writer of an open conversation, else `parley:…`.
    ///
    /// The text is secret unless the conversation is open. Equal invites have equal texts in every
    /// version of the program.
    package var text: String {
        isOpen && role == .writer ? InviteText.openScheme + name.text : InviteText.link(self)
    }

    /// This invite, reduced to `role`.
    ///
    /// - Throws: `roleTooLow` if `role` is above the role of this invite.
    package func limited(to role: Capability.Role) throws(CapabilityError) -> InviteLink {
        InviteLink(try capability.limited(to: role), of: origin, name: name)
    }
}

extension InviteLink: CustomStringConvertible, CustomReflectable {
    /// Role, name and conversation ID.
    ///
    /// The description contains no key, so it may be logged.
    package var description: String {
        "\(role) invite to \(isOpen ? "open " : "")\(name) (\(conversationID))"
    }

    package var customMirror: Mirror { Mirror(self, children: ["invite": description]) }
}
