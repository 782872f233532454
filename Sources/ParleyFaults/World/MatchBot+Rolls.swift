import ParleyCore

/// The dice of a player, who calls for rolls, shows and answers them, and cheats now and then.
extension MatchBot {
    /// What the player owes for a roll, before anything else.
    var due: World.Draft? { rollView?.due.map { addition($0) } }

    /// The roll of the next message of a game.
    mutating func roll(after legal: MatchMove, turn: [Int]) -> MatchRoll? {
        guard hasDice, legal.state.phase == .running else { return legal.state.chance.roll }
        guard var roll = legal.state.chance.roll else {
            let quit = participants(with: .quit)
            let seats = legal.state.seats.indices.filter { !quit.contains(legal.state.seats[$0]) }
            return seats.count > 1 ? call(2, seats, turn) : nil
        }
        roll.answers = []
        guard random.chance(1, in: 2) else { return roll }
        if roll.kind == .hidden {
            roll.kind = .shown
            return roll
        }
        return roll.number < 40 ? call(roll.number + 1, roll.seats, turn) : roll
    }

    private mutating func call(_ number: UInt64, _ seats: [Int], _ turn: [Int]) -> MatchRoll {
        let isHidden = random.chance(1, in: 2)
        let two = Set(turn + [ownSeat].compactMap(\.self)).sorted()
        let isOfTwo = !isHidden && two.count > 1 && random.chance(1, in: 2)
        return MatchRoll(
            isHidden ? .hidden : .open,
            number: number,
            seats: seats,
            giving: isOfTwo ? two : nil
        )
    }

    /// The next roll without those who do not give their links.
    var rollWithoutMissing: MatchRoll? {
        guard let rollView, !rollView.missing.isEmpty else { return nil }
        let seats = rollView.roll.seats.filter { !rollView.missing.contains($0) }
        return seats.count > 1
            ? MatchRoll(.open, number: rollView.roll.number + 1, seats: seats) : nil
    }

    // MARK: Cheating

    /// A link of another participant, or one that nobody has called for; nil if there is none.
    mutating func falseReveal() -> World.Draft? {
        guard let legal = game?.legal, let roll = legal.state.chance.roll, let seat = ownSeat,
            roll.seats.contains(seat), legal.state.phase == .running
        else { return nil }
        let isCopied = random.chance(1, in: 2)
        let chain =
            isCopied
            ? Chain(
                open: Chain.Tip(roll.number, legal.state.chance.roll?.answers.first ?? .zero),
                hidden: Chain.Tip(roll.number, .zero)
            ) : steps.own(roll.number + 1, roll.number - 1, guest: nil)
        var draft = addition(.draw, RollReveal(chain, for: legal.dot).encoded())
        draft.isJudged = false
        return draft
    }
}
