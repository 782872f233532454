package import ParleyCore
package import ParleyKeys

/// A conversation that a person creates or joins, with its name on this node.
///
/// The name of an open conversation has a prefix, which no person can give another.
package struct NewConversation {
    package let capability: Capability
    package let id: ConversationID
    /// The raw Ed25519 key of the device that created the conversation, if that is known.
    package let creator: Bytes32?
    package private(set) var name: String
    /// Whether everybody can derive the keys from the name.
    package let isOpen: Bool

    private static let openPrefix = "open:"

    /// A conversation that the device with a key creates, with new keys.
    package init(named name: String, by creator: Bytes32) throws(NodeError) {
        var random = SystemRandomNumberGenerator()
        capability = Capability.newConversation(using: &random)
        self.name = try Self.given(name)
        isOpen = false
        self.creator = creator
        let named = try Self.invitedName(self.name)
        id = InviteLink(capability, of: .creator(creator), name: named).conversationID
    }

    /// A conversation of an invite; without a name, the name in the invite is adapted.
    ///
    /// With `relaysOnly`, an invite must be one for relays.
    package init(
        invitedBy link: String,
        as name: String?,
        relaysOnly: Bool = false
    ) throws(NodeError) {
        var invite: InviteLink
        do throws(InviteError) {
            invite = try InviteLink(parsing: link)
        } catch {
            throw .badInvite(reason: error.message, hint: error.hint)
        }
        if relaysOnly, invite.role != .relay { throw .relayOnly }
        if invite.isOpen, invite.role == .writer {
            // The keys follow from the bytes of a name that a person typed.
            let typed = try Self.given(invite.name.text)
            invite = InviteLink(openConversation: try Self.publicName(typed))
        }
        self.name = try Self.name(name, in: invite.name, isOpen: invite.isOpen)
        capability = invite.capability
        isOpen = invite.isOpen
        creator = invite.creator
        id = invite.conversationID
    }

    /// A conversation of an invite that came with a pairing; if its name is taken, a number is
    /// added.
    package init(
        pairedBy invite: Slice,
        relaysOnly: Bool = false,
        isTaken: (String) -> Bool
    ) throws(NodeError) {
        guard let link = String(validating: invite.bytes, as: UTF8.self) else {
            let error = InviteError.notText
            throw .badInvite(reason: error.message, hint: error.hint)
        }
        try self.init(invitedBy: link, as: nil, relaysOnly: relaysOnly)
        let stem = Self.bare(name).cut(toBytes: 60)
        for number in 2...Self.sameNamesMax where isTaken(name) {
            name = try Self.given("\(stem) \(number)")
        }
    }

    /// Conversations of one name, told apart by numbers.
    private static let sameNamesMax = 99

    /// The conversation as a node keeps it.
    func record(numbered number: UInt32, for device: DeviceID) -> ConversationRecord {
        var record = ConversationRecord(
            number: number,
            id: id,
            name: name,
            isOpen: isOpen,
            capability: capability,
            // Readers and relays have no certificate.
            certificate: try? capability.certify(device)
        )
        record.creator = creator
        return record
    }

    /// Checks that the conversation is not named like an open one without being one.
    package func checkPrefix() throws(NodeError) {
        guard isOpen || !name.hasPrefix(Self.openPrefix) else {
            throw .badName(
                "A name that begins with open: is that of an open conversation; to be in that: "
                    + "parley join \(name)"
            )
        }
    }

    // MARK: Names

    /// The name on this node that a person gives, or that follows from an invite.
    static func name(
        _ name: String?,
        in invite: ConversationName,
        isOpen: Bool = false
    ) throws(NodeError) -> String {
        if let name { return try given(name) }
        return (isOpen ? openPrefix : "") + adapted(invite.text)
    }

    /// The name for a conversation that another node calls `text`.
    static func adapted(_ text: String) -> String {
        GivenName(adapting: text, bytesMax: Limits.conversationNameBytes)?.text ?? "conversation"
    }

    /// The name in an invite to the conversation that this node calls `name`.
    package static func invitedName(_ name: String) throws(NodeError) -> ConversationName {
        try publicName(adapted(bare(name)))
    }

    private static func bare(_ name: String) -> String {
        name.hasPrefix(openPrefix) ? String(name.dropFirst(openPrefix.count)) : name
    }

    /// The name that a person gives a conversation, in normal form.
    private static func given(_ text: String) throws(NodeError) -> String {
        let isOpen = text.hasPrefix(openPrefix)
        do throws(GivenNameError) {
            let name = try GivenName(bare(text), bytesMax: Limits.conversationNameBytes)
            return isOpen ? openPrefix + name.text : name.text
        } catch {
            throw .badName(error.message(of: "the conversation") + ".")
        }
    }

    private static func publicName(_ text: String) throws(NodeError) -> ConversationName {
        do throws(ConversationNameError) {
            return try ConversationName(text)
        } catch {
            throw .badName(error.message)
        }
    }
}
