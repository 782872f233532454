import ParleyCore

extension Match.Deck {
    init(_ deck: MatchDeck) {
        self.init(number: Int(deck.number), count: deck.count, seats: deck.seats)
        dealt = deck.dealt.map(Card.init)
        isOver = deck.isOver
    }

    /// The deck in an envelope.
    ///
    /// - Throws: `badDraft` for a number out of its range, or a seat that does not shuffle.
    func core(of seatCount: Int) throws(NodeError) -> MatchDeck {
        guard let number = UInt64(exactly: number), (1...Limits.matchDecks).contains(number),
            (1...Limits.deckCards).contains(count), dealt.count <= count, !seats.isEmpty,
            seats.allSatisfy((0..<seatCount).contains), seats == Set(seats).sorted(),
            dealt.allSatisfy({ $0.owner.map(seats.contains) ?? true })
        else {
            throw .badDraft(
                "a deck has 1 to \(Limits.deckCards) cards, for the seats that shuffle it"
            )
        }
        return MatchDeck(
            number: number,
            count: count,
            seats: seats,
            dealt: dealt.map(\.owner),
            isOver: isOver
        )
    }
}

extension DeckDetail {
    init(_ view: DeckView) {
        self.init(
            number: Int(view.deck.number),
            isShuffled: view.isShuffled,
            isVoid: view.isVoid
        )
        cards = view.cards
        spoiled = view.spoiled
        missing = view.missing
        isDue = view.isDue
    }
}
