import Foundation
import ParleyCore
import ParleyKeys

/// Creating, joining and leaving conversations.
///
/// None of these is begun while the disk fails. If the disk fails afterwards, the call throws, and
/// the change may still reach the disk later.
extension NodeShell {
    func createConversation(named name: String) async throws(NodeError) -> Conversation {
        guard !settings.isRelay else { throw .relayOnly }
        var random = SystemRandomNumberGenerator()
        let capability = Capability.newConversation(using: &random)
        let conversation = try adopt(capability, named: name, isOpen: false)
        try await untilStored()
        return conversation
    }

    func join(_ link: String, as name: String?) async throws(NodeError) -> Conversation {
        let conversation = try beginJoin(link, as: name)
        try await untilStored()
        return conversation
    }

    /// Joins a conversation; whoever is to be told of it waits until it is stored.
    func beginJoin(_ link: String, as name: String?) throws(NodeError) -> Conversation {
        let invite: InviteLink
        do throws(InviteError) {
            invite = try InviteLink(parsing: link)
        } catch {
            throw .badInvite(reason: error.message, hint: error.hint)
        }
        if settings.isRelay, invite.role != .relay { throw .relayOnly }
        let name = name ?? (invite.isOpen ? "open:\(invite.name.text)" : invite.name.text)
        return try adopt(invite.capability, named: name, isOpen: invite.isOpen)
    }

    func leaveConversation(named name: String, force: Bool) async throws(NodeError) {
        if let storeTrouble { throw NodeError(whileRunning: storeTrouble) }
        let conversation = try conversation(named: name)
        let messages = force ? 0 : conversation.unconfirmedMessages
        guard messages == 0 else { throw .onlyCopies(conversation: name, messages: messages) }
        feed(.left(conversation: conversation.number))
        met.left(conversation.number)
        followers.tell(.conversationsChanged)
        try await untilStored()
    }

    func conversations() -> [Conversation] {
        machine.conversations.map(described)
    }

    /// Makes an invite; that to an open conversation contains its public name, unless this node
    /// calls the conversation differently.
    func invite(to name: String, role: Role) throws(NodeError) -> Invite {
        let conversation = try conversation(named: name)
        let capability: Capability
        do throws(CapabilityError) {
            capability = try conversation.record.capability.limited(to: role.core)
        } catch {
            throw .readOnly(conversation: name, isRelay: settings.isRelay)
        }
        let text = try Self.name(name.hasPrefix("open:") ? String(name.dropFirst(5)) : name)
        let invite = InviteLink(capability, name: text)
        return Invite(link: invite.text, role: role, conversation: name)
    }

    // MARK: Inside

    /// Adds a conversation to the store and to the links.
    private func adopt(
        _ capability: Capability,
        named name: String,
        isOpen: Bool
    ) throws(NodeError) -> Conversation {
        let limit = machine.configuration.limits.conversations
        guard machine.conversations.count < limit else {
            throw .tooManyConversations(limit: limit)
        }
        try Self.check(name, isOpen: isOpen)
        if let storeTrouble { throw NodeError(whileRunning: storeTrouble) }
        let id = capability.conversationID
        if let known = machine.conversations.first(where: { $0.record.id == id }) {
            throw .alreadyJoined(as: known.record.name, Role(known.role))
        }
        // Equivalent names look the same, so here `==` of strings is right: two conversations with
        // them are apart, but nobody could tell which is which.
        guard !machine.conversations.contains(where: { $0.record.name == name }) else {
            throw .nameTaken(name)
        }
        let record = ConversationRecord(
            number: nextConversationNumber,
            id: id,
            name: name,
            isOpen: isOpen,
            capability: capability,
            // Readers and relays have none.
            certificate: try? capability.certify(key.id)
        )
        nextConversationNumber += 1
        feed(.joined(record))
        followers.tell(.conversationsChanged)
        return described(try conversation(named: name))
    }

    private static func check(_ name: String, isOpen: Bool) throws(NodeError) {
        guard name.hasPrefix("open:") else {
            _ = try Self.name(name)
            return
        }
        guard isOpen else {
            throw .badName(
                "a name that begins with open: is that of an open conversation; to be in that: "
                    + "parley join \(name)"
            )
        }
        _ = try Self.name(String(name.dropFirst(5)))
    }

    private static func name(_ text: String) throws(NodeError) -> ConversationName {
        do throws(ConversationNameError) {
            return try ConversationName(text)
        } catch {
            throw .badName(error.message)
        }
    }

    private func described(_ conversation: ParleyCore.Conversation) -> Conversation {
        reader.conversation(conversation)
    }
}
