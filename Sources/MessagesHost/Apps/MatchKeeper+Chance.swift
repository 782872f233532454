import Foundation
import ParleyNode

/// The dice and cards of matches.
extension MatchKeeper {
    /// Reads what the node knows of dice and cards, and gives the own part of them.
    func readChance(in session: SessionID, _ model: ConversationModel) {
        node.chance(in: session, of: model.name) { [weak self] result in
            guard let self, case .success(let chance) = result else { return }
            if model.note(chance, in: session) { tell(session, model) }
            if let roll = chance.roll, let due = roll.due {
                give(Addition(to: session, due), .roll(roll.number), model)
            }
            if let deck = chance.deck, deck.isDue {
                var addition = Addition(to: session, .deck)
                addition.slot = deck.number & 1
                give(addition, .deck(deck.number), model)
            }
        }
    }

    /// Sends a part of dice or cards, once at a time; the node fills it in.
    private func give(_ addition: Addition, _ kind: OwedPart.Kind, _ model: ConversationModel) {
        let session = addition.session
        let part = OwedPart(session: session, conversation: model.name, kind: kind)
        guard model.conversation.role == .writer, owed.insert(part).inserted else { return }
        add(addition, model) { [weak self] result in
            self?.owed.remove(part)
            // There may be a further part after this one.
            if case .success = result { self?.readChance(in: session, model) }
        }
    }
}

/// A part of dice or cards that this device gives, or its key.
struct OwedPart: Hashable {
    enum Kind: Hashable {
        case roll(Int), deck(Int), key
    }

    let session: SessionID
    let conversation: String
    let kind: Kind
}
