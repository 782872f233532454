import Foundation
import Messages
import ParleyNode

/// The turns of this device.
extension AppHost {
    /// Whether it is the turn of this device in some session of a conversation that was read.
    package func isMyTurn(in conversation: String) -> Bool {
        models[conversation]?.turns.isEmpty == false
    }

    /// Whether it is the turn of this device after a message: the message names it, or, if it names
    /// nobody, the rule of the app that is installed here does.
    func isMyTurn(_ message: Message, _ model: ConversationModel) -> Bool {
        // A sticker on a message names who may peel it off, which is no turn of anybody.
        guard !message.isEnd, message.content?.placement == nil,
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
