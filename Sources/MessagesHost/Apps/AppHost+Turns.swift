import Foundation
import Messages
import ParleyNode

/// The turns of this device.
extension AppHost {
    /// Whether this device has a turn in some session of a conversation that was read.
    package func isMyTurn(in conversation: String) -> Bool {
        models[conversation]?.turns.isEmpty == false
    }

    /// Whether this device has the turn after a message.
    ///
    /// The message names the participants who are next. If it names nobody, the rule of its app
    /// decides, unless the app makes turns binding.
    func isMyTurn(_ message: Message, _ model: ConversationModel) -> Bool {
        if let match = model.matchView(of: message) { return match.isMyTurn }
        // In a session of its own, a sender is named as next, to change the message; nobody has a
        // turn.
        guard !message.isEnd, !SessionMapping.isOwn(message.session, of: message.sender.id),
            message.sender.id != model.me.id || !message.next.isEmpty
        else { return false }
        guard message.next.isEmpty else { return message.next.contains(model.me.id) }
        guard let name = message.content?.app,
            let app = apps.first(where: { $0.speaks == name && !$0.startsHeadless }),
            !app.turnsAreBinding, let turns = app.turns,
            let contents = IncomingMessage.withoutPicture(message)
        else { return false }
        let status = MessageStatus(.init(isPending: false, sender: message.sender.id))
        let others = (model.remotes + [model.me.id]).filter { $0 != message.sender.id }
        return turns(MSMessage(contents, status: status), message.sender.id, others)
            .contains(model.me.id)
    }
}
