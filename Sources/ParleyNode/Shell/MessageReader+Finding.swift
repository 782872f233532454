package import ParleyCore
import ParleyKeys

/// Finding conversations, sessions and messages by the names and IDs that people and programs give.
extension MessageReader {
    /// The conversation `name`, if this node can read it.
    package func readable(_ name: String) throws(NodeError) -> ParleyCore.Conversation {
        let conversation = try machine.conversation(named: name)
        guard conversation.keys.canRead else {
            // A relay never has the keys, and others have them once the records have come.
            guard conversation.role == .relay else {
                throw .keys(conversation: name, .missing)
            }
            throw .unreadable(conversation: name)
        }
        return conversation
    }

    /// The session in the conversation `name`, or without a name in any conversation.
    package func view(of session: SessionID, in name: String?) throws(NodeError) -> SessionView {
        for conversation in machine.conversations
        where name.map(conversation.record.isCalled) ?? true {
            guard
                let tag = conversation.tag(of: session.core, using: machine.crypto),
                let view = conversation.view(tag)
            else { continue }
            return view
        }
        throw .unknownSession(session.description)
    }

    /// The head by the owner of a session of one author; others may write there, too.
    func ownersMessage(of view: SessionView) -> Message? {
        messages(of: view).first(where: \.isByOwner)
    }

    /// The session of the conversation `name` that has the message as a head.
    package func view(of message: MessageID, in name: String) throws(NodeError) -> SessionView {
        let conversation = try readable(name)
        guard let dot = message.dot, let view = conversation.view(withHead: dot) else {
            throw .unknownMessage(message.description)
        }
        return view
    }

    /// The latest sessions with a sticker or an addition on the targets, at most `count` for each.
    package func sides(
        on targets: [AdditionTarget],
        last count: Int,
        in name: String
    ) throws(NodeError) -> [SessionView] {
        let conversation = try readable(name)
        return targets.compactMap(\.core).flatMap { conversation.sides(on: $0, last: count) }
    }

    /// At most `limit` conflicts after `session`, in the conversation `name` or in all readable
    /// ones.
    func conflicts(
        in name: String?,
        after session: SessionID?,
        limit: Int
    ) throws(NodeError) -> [SessionView] {
        if let name { _ = try readable(name) }
        let after = try session.map { (id) throws(NodeError) in try view(of: id, in: name).tag }
        var views: [SessionView] = []
        for conversation in machine.conversations
        where conversation.keys.canRead && (name.map(conversation.record.isCalled) ?? true) {
            views += conversation.conflicts(after: after, count: limit - views.count)
        }
        return views
    }

    /// The session whose message stands in a line of a transcript; nil for a summary.
    package func view(of line: TranscriptLine, in conversation: UInt32) -> SessionView? {
        guard case .message(let session, _, _) = line else { return nil }
        return machine.conversations.view(session, in: conversation)
    }

    /// The entry of a line; `view` is the line's session with its envelopes.
    package func entry(
        of line: TranscriptLine,
        _ view: SessionView?,
        in conversation: UInt32
    ) -> TranscriptEntry? {
        if case .summary(_, let line) = line {
            return .summary(summary(line, inConversation: conversation))
        }
        guard let message = view.flatMap({ messages(of: $0).first }), !message.isMark else {
            return nil
        }
        return .message(message)
    }

    /// An invite to the conversation `name`.
    ///
    /// An invite to an open conversation contains the public name, unless this node calls the
    /// conversation differently or no person could give the name.
    func invite(to name: String, role: Role, isRelay: Bool) throws(NodeError) -> Invite {
        let conversation = try machine.conversation(named: name)
        let record = conversation.record
        guard conversation.standing == .member else {
            throw .keys(conversation: name, KeysFault(conversation.standing))
        }
        let capability: Capability
        do throws(CapabilityError) {
            capability = try record.capability.limited(to: role.core)
        } catch {
            throw .readOnly(conversation: name, isRelay: isRelay)
        }
        let generations = conversation.generations
        let origin: InviteLink.Origin =
            generations.current == generations.first
            ? generations.birth?.creator.map { .creator($0) } ?? .keys : .conversation(record.id)
        let link = InviteLink(
            capability,
            of: origin,
            name: try NewConversation.invitedName(record.name)
        )
        return Invite(link: link.text, role: role, conversation: record.name)
    }
}

extension SessionDetail {
    /// The head by the owner of a session of one author; others may write there, too.
    var ownersMessage: Message? { ([shown] + others).first(where: \.isByOwner) }
}

extension Message {
    /// Whether the session belongs to the author.
    fileprivate var isByOwner: Bool {
        session.core.isOwned(by: ParticipantID(Bytes16(sender.id)))
    }
}

extension NodeMachine {
    /// The conversation that a person of this node calls `name`.
    func conversation(named name: String) throws(NodeError) -> ParleyCore.Conversation {
        let normal = GivenName.normal(name)
        guard let found = conversations.first(withRecord: { $0.name == normal }) else {
            throw .unknownConversation(name)
        }
        return found
    }
}

extension SessionView {
    /// Whether envelopes of the session are only on disk.
    package var lacksEnvelopes: Bool { heads.contains { $0.envelope == nil } }

    /// The view with its missing envelopes taken from `stored`.
    package func filled(from stored: Few<StoredHead>) -> SessionView {
        var view = self
        for index in view.heads.indices where view.heads[index].envelope == nil {
            let dot = view.heads[index].dot
            view.heads[index].envelope = stored.first { $0.dot == dot }?.envelope
        }
        return view
    }
}
