import Foundation
import ParleyCore
import ParleyKeys
import ParleyStore
import struct ParleyValues.Conversation

/// Creating, joining and leaving conversations.
///
/// No call begins while the disk fails. If the disk fails afterwards, the call throws, but the
/// change may still reach the disk later.
extension NodeShell {
    func createConversation(named name: String) async throws(NodeError) -> Conversation {
        guard !settings.isRelay else { throw .relayOnly }
        var random = SystemRandomNumberGenerator()
        let capability = Capability.newConversation(using: &random)
        let conversation = try adopt(capability, named: try Self.given(name), isOpen: false)
        try await untilStored()
        return conversation
    }

    func join(_ link: String, as name: String?) async throws(NodeError) -> Conversation {
        let conversation = try beginJoin(link, as: name)
        try await untilStored()
        return conversation
    }

    /// Joins a conversation; callers report the conversation only once it is stored.
    func beginJoin(_ link: String, as name: String?) throws(NodeError) -> Conversation {
        var invite: InviteLink
        do throws(InviteError) {
            invite = try InviteLink(parsing: link)
        } catch {
            throw .badInvite(reason: error.message, hint: error.hint)
        }
        if settings.isRelay, invite.role != .relay { throw .relayOnly }
        if invite.isOpen, invite.role == .writer {
            // The keys follow from the bytes of a name that a person typed.
            let typed = try Self.given(invite.name.text)
            invite = InviteLink(openConversation: try Self.name(typed))
        }
        let own = Self.adapted(invite.name.text)
        return try adopt(
            invite.capability,
            named: try name.map { (name) throws(NodeError) in try Self.given(name) }
                ?? (invite.isOpen ? "open:\(own)" : own),
            isOpen: invite.isOpen
        )
    }

    func leaveConversation(named name: String, force: Bool) async throws(NodeError) {
        if let obstacle = commits.obstacleToLeaving { throw obstacle }
        let conversation = try conversation(named: name)
        let messages = force ? 0 : conversation.unconfirmedMessages
        guard messages == 0 else { throw .onlyCopies(conversation: name, messages: messages) }
        feed(.left(conversation: conversation.number))
        met.left(conversation.number)
        followers.emit(.conversationsChanged)
        // Writes refused for lack of space reach the disk along with the deletion, or wait again.
        if commits.trouble != nil { store?.retry() }
        try await untilStored()
    }

    func conversations() -> [Conversation] {
        machine.conversations.map(described)
    }

    func keptConversations() -> [Conversation] {
        machine.conversations.map { conversation in
            var described = described(conversation)
            described.sessions = conversation.sessionCount
            described.bytes = conversation.kept.bytes
            described.lastActivity = storage.lastActivity(of: conversation.number)
                .map { Date(timeIntervalSince1970: TimeInterval($0)) }
            return described
        }
    }

    /// Makes an invite.
    ///
    /// An invite to an open conversation contains the public name, unless this node calls the
    /// conversation differently or no person could give the name.
    func invite(to name: String, role: Role) throws(NodeError) -> Invite {
        let conversation = try conversation(named: name)
        let capability: Capability
        do throws(CapabilityError) {
            capability = try conversation.record.capability.limited(to: role.core)
        } catch {
            throw .readOnly(conversation: name, isRelay: settings.isRelay)
        }
        let own = conversation.record.name
        let invite = InviteLink(
            capability,
            name: try Self.name(Self.adapted(Self.bare(own)))
        )
        return Invite(link: invite.text, role: role, conversation: own)
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
        guard isOpen || !name.hasPrefix(Self.openPrefix) else {
            throw .badName(
                "A name that begins with open: is that of an open conversation; to be in that: "
                    + "parley join \(name)"
            )
        }
        if let obstacle = commits.obstacle { throw obstacle }
        let id = capability.conversationID
        if let known = machine.conversations.first(withRecord: { $0.id == id }) {
            throw .alreadyJoined(as: known.record.name, Role(known.role))
        }
        // `==` of strings treats equivalent names as equal, which is right here: people could not
        // tell two such conversations apart.
        guard machine.conversations.first(withRecord: { $0.name == name }) == nil else {
            throw .nameTaken(name)
        }
        let record = ConversationRecord(
            number: nextConversationNumber,
            id: id,
            name: name,
            isOpen: isOpen,
            capability: capability,
            // Readers and relays have no certificate.
            certificate: try? capability.certify(key.id)
        )
        nextConversationNumber += 1
        feed(.joined(record))
        followers.emit(.conversationsChanged)
        return described(try conversation(named: name))
    }

    /// The prefix in the names of open conversations.
    private static var openPrefix: String { "open:" }

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

    /// The name for a conversation that another node calls `text`.
    static func adapted(_ text: String) -> String {
        GivenName(adapting: text, bytesMax: Limits.conversationNameBytes)?.text ?? "conversation"
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
