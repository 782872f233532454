/// The rules of decks.
extension Judge {
    /// The verdict on the deck of a message upon `base`; nil if nothing is wrong.
    func deck(after base: MatchMove) -> MatchVerdict? {
        guard let new = state.chance.deck else {
            return base.state.chance.deck == nil ? nil : .against(.deckChanged)
        }
        guard let old = base.state.chance.deck else {
            guard new.number == 1, !new.isOver else { return .against(.deckChanged) }
            return mayShuffle(new, Array(state.seats.indices)) ? nil : .against(.deckSeats)
        }
        if new.number == old.number {
            return new.goesOn(with: old, by: state.seats.firstIndex(of: move.author))
                ? nil : .against(.deckChanged)
        }
        guard new.number == old.number + 1, !new.isOver else { return .against(.deckChanged) }
        guard mayShuffle(new, old.seats) else { return .against(.deckSeats) }
        // A hand also ends without who has quit, or does not answer.
        let isClaimed = state.claim != nil && new.seats.count < old.seats.count
        if isClaimed || old.seats.contains(where: { quit.contains(state.seats[$0]) }) {
            return nil
        }
        guard old.isOver else { return .against(.deckChanged) }
        guard let isDeckShown else { return isOwn ? .against(.deckChanged) : .notChecked }
        return isDeckShown ? nil : .against(.deckChanged)
    }

    /// Whether only some of `seats` shuffle, and at least two if these are two.
    private func mayShuffle(_ deck: MatchDeck, _ seats: [Int]) -> Bool {
        deck.seats.allSatisfy(seats.contains) && deck.seats.count > min(1, seats.count - 1)
    }
}
