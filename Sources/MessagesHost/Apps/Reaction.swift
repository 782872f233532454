public import Foundation
import ParleyNode

/// An emoji that people have put on a message.
public struct Reaction: Hashable, Sendable {
    /// The emoji, one character.
    public let emoji: String
    /// The participants who chose it, in the order of arrival.
    public var senders: [UUID]
}

extension ConversationModel {
    /// The reactions to a message, in the order of arrival.
    func reactions(to message: Message) -> [Reaction] {
        var found: [Reaction] = []
        for added in additions.on(message.session, .reaction) {
            guard let reaction = added.addition.reaction, reaction.message == message.id else {
                continue
            }
            if let index = found.firstIndex(where: { $0.emoji == reaction.emoji }) {
                found[index].senders.append(added.sender)
            } else {
                found.append(Reaction(emoji: reaction.emoji, senders: [added.sender]))
            }
        }
        return found
    }
}
