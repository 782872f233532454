extension Match {
    /// The cards that messages of a game have dealt from a deck whose order nobody knows.
    public struct Deck: Hashable, Sendable, Codable {
        /// Ascends by one with each deck of the game, from 1 to 65,535.
        public var number: Int
        /// The number of cards, 1 to 64.
        public var count: Int
        /// The seats that shuffle, ascending.
        public var seats: [Int]
        /// The cards that were dealt, in the order of their positions.
        public var dealt: [Card]
        /// Whether the hand is over, so that everybody shows everything.
        public var isOver: Bool

        /// A card that was dealt.
        public struct Card: Hashable, Sendable, Codable {
            /// The seat that sees the card; nil if all do.
            public var owner: Int?

            /// Makes a card.
            public init(of owner: Int?) { self.owner = owner }
        }

        private enum CodingKeys: String, CodingKey {
            case number, count, seats, dealt
            case isOver = "over"
        }

        /// Makes a deck of which nothing is dealt.
        public init(number: Int, count: Int, seats: [Int]) {
            self.number = number
            self.count = count
            self.seats = seats
            dealt = []
            isOver = false
        }
    }
}

/// What a node knows of the present deck of a game, as one participant may see it.
package struct DeckDetail: Hashable, Sendable {
    package let number: Int
    package let isShuffled: Bool
    package let isVoid: Bool
    /// The cards that the participant sees, from 0, by their positions.
    package var cards: [Int: Int] = [:]
    /// The dealt positions that will never open for the participant.
    package var spoiled: [Int] = []
    /// The seats whose nodes have something to do.
    package var missing: [Int] = []
    /// Whether the participant's host has to send an addition.
    package var isDue = false

    package init(number: Int, isShuffled: Bool, isVoid: Bool) {
        self.number = number
        self.isShuffled = isShuffled
        self.isVoid = isVoid
    }

    /// The same as everybody sees it.
    package func seenByAll(of deck: Match.Deck) -> DeckDetail {
        var detail = self
        detail.isDue = false
        // Once nobody has something to give after the hand, all see everything.
        guard !deck.isOver || !missing.isEmpty else { return detail }
        detail.cards = cards.filter { position, _ in
            deck.dealt.indices.contains(position) && deck.dealt[position].owner == nil
        }
        return detail
    }
}

/// What a node knows of the dice and cards of a game, as one participant may see them.
package struct ChanceDetail: Hashable, Sendable {
    package var roll: RollDetail?
    package var deck: DeckDetail?

    package init(roll: RollDetail? = nil, deck: DeckDetail? = nil) {
        self.roll = roll
        self.deck = deck
    }

    /// The same as everybody sees it.
    package func seenByAll(in match: Match?) -> ChanceDetail {
        ChanceDetail(
            roll: roll?.seenByAll,
            deck: match?.deck.flatMap { deck?.seenByAll(of: $0) }
        )
    }
}
