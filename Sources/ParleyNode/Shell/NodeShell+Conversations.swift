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
        let conversation = try adopt(try NewConversation(named: name, by: key.publicKey))
        try await untilStored()
        return conversation
    }

    func join(_ link: String, as name: String?) async throws(NodeError) -> Conversation {
        var link = link
        if let knock = try KnockLink(pasted: link) {
            link = try await EndingInvites.keys(behind: knock, as: name, on: self)
        }
        let new = try NewConversation(invitedBy: link, as: name, relaysOnly: settings.isRelay)
        let conversation = try adopt(new)
        try await untilStored()
        try await PresentKeys.check(new, on: self)
        return conversation
    }

    func leaveConversation(named name: String, force: Bool) async throws(NodeError) {
        if let obstacle = commits.obstacleToLeaving { throw obstacle }
        let conversation = try machine.conversation(named: name)
        let messages = force ? 0 : conversation.unconfirmedMessages
        guard messages == 0 else { throw .onlyCopies(conversation: name, messages: messages) }
        feed(.left(conversation: conversation.number))
        news.left(conversation.number)
        files.left(conversation.number)
        person.left(conversation.record.id)
        // Writes refused for lack of space reach the disk along with the deletion, or wait again.
        if commits.trouble != nil { store?.retry() }
        try await untilStored()
    }

    func keptConversations() -> [Conversation] {
        machine.conversations.map { conversation in
            var described = reader.conversation(conversation)
            described.sessions = conversation.sessionCount
            described.bytes = conversation.kept.bytes
            described.lastActivity = storage.lastActivity(of: conversation.number)
                .map { Date(timeIntervalSince1970: TimeInterval($0)) }
            return described
        }
    }

    /// Makes a change of a guest's seat, which is on disk when the call returns.
    func make(_ change: MessageReader.SeatChange) async throws(NodeError) {
        if let obstacle = commits.obstacle { throw obstacle }
        let (number, seat) = (change.conversation, change.number)
        feed(.seated(conversation: number, seat, change.guest))
        news.listeners.emit(.conversationsChanged)
        try await untilStored()
    }

    // MARK: Inside

    /// Adds a conversation to the store and to the links; callers report the conversation only once
    /// it is stored.
    func adopt(_ new: NewConversation) throws(NodeError) -> Conversation {
        try new.checkPrefix()
        try checkCapacity(for: new.id, named: new.name)
        let record = new.record(numbered: nextConversationNumber, for: key.id)
        nextConversationNumber += 1
        feed(.joined(record))
        news.listeners.emit(.conversationsChanged)
        person.adopted(new.id, on: self)
        return reader.conversation(try machine.conversation(named: new.name))
    }

    /// Checks that this node may get one more conversation, with this ID and name.
    func checkCapacity(for id: ConversationID, named name: String) throws(NodeError) {
        if let known = machine.conversations.first(withRecord: { $0.id == id }) {
            throw .alreadyJoined(as: known.record.name, Role(known.role))
        }
        let limit = machine.configuration.limits.conversations
        guard machine.conversations.count < limit else {
            throw .tooManyConversations(limit: limit)
        }
        if let obstacle = commits.obstacle { throw obstacle }
        // `==` of strings treats equivalent names as equal, which is right here: people could not
        // tell two such conversations apart.
        guard machine.conversations.first(withRecord: { $0.name == name }) == nil else {
            throw .nameTaken(name)
        }
    }
}
