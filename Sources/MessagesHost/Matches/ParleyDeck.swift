public import Foundation
import ParleyNode

/// A deck of cards in a match, of which nobody knows the order: all who are in have shuffled it.
///
/// When the hand is over, all machines show what they did, and every node computes the hand again.
/// Cheaters are then among `ParleyMatch.violations`, and all cards can be seen.
public struct ParleyDeck: Hashable, Sendable {
    /// A card that was dealt.
    public struct Card: Hashable, Sendable {
        /// The place in the deck, from 0.
        public let position: Int
        /// The participant who sees the card; nil if everybody does.
        public let owner: UUID?
        /// The card, from 0; nil if it is hidden here, or still to come.
        public let value: Int?
        /// Whether the card cannot be opened: it was dealt to two players at once, or somebody has
        /// cheated.
        ///
        /// Another one is dealt then.
        public let isSpoiled: Bool
    }

    /// Ascends by one with each deck of the match, from 1.
    public let number: Int
    /// The number of cards.
    public let count: Int
    /// The participants who shuffle.
    public let participants: [UUID]
    /// Whether all have shuffled.
    public let isShuffled: Bool
    /// Whether the deck cannot be used, as somebody has cheated with it; the hand is to be ended.
    public let isVoid: Bool
    /// The cards that were dealt, in the order of their positions.
    public let dealt: [Card]
    /// The participants whose machines have something to do for the deck.
    public let missing: [UUID]
    /// Whether the hand is over.
    public let isOver: Bool

    /// The cards of a participant, or with nil those that all see, in the order of dealing.
    public func cards(of participant: UUID?) -> [Card] {
        dealt.filter { $0.owner == participant }
    }

    /// The deck of a match; nil without one.
    init?(_ deck: Match.Deck?, _ detail: DeckDetail?, of seats: [UUID]) {
        guard let deck else { return nil }
        let participant = { (seat: Int) in seats.indices.contains(seat) ? seats[seat] : nil }
        let known = detail?.number == deck.number ? detail : nil
        number = deck.number
        count = deck.count
        participants = deck.seats.compactMap(participant)
        isShuffled = known?.isShuffled ?? false
        isVoid = known?.isVoid ?? false
        dealt = deck.dealt.enumerated().map { position, card in
            Card(
                position: position,
                owner: card.owner.flatMap(participant),
                value: known?.cards[position],
                isSpoiled: known?.spoiled.contains(position) ?? false
            )
        }
        missing = (known?.missing ?? []).compactMap(participant)
        isOver = deck.isOver
    }
}
