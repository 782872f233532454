/// The rules of rolls.
extension Judge {
    /// The verdict on the roll of a message upon `base`; nil if nothing is wrong.
    func roll(after base: MatchMove) -> MatchVerdict? {
        guard let old = base.state.chance.roll else { return state.chance.roll.flatMap(firstRoll) }
        guard let new = state.chance.roll else { return .against(.rollChanged) }
        if new.number == old.number {
            guard new.goesOn(with: old), new.kind == old.kind || isShowing(old) else {
                return .against(.rollChanged)
            }
            // The end is its author's to write, whatever the dice say.
            return state.claim == nil && state.phase == .running ? answered : nil
        }
        guard new.number == old.number + 1, new.kind != .shown else {
            return .against(.rollChanged)
        }
        guard new.seats.allSatisfy(old.seats.contains), isGiven(new) else {
            return .against(.rollSeats)
        }
        if state.claim != nil { return nil }
        // A hidden roll that nobody has shown ends only without who has quit.
        if old.kind == .hidden {
            let dropped = old.seats.filter { !new.seats.contains($0) }
            let haveQuit = dropped.allSatisfy { quit.contains(state.seats[$0]) }
            return haveQuit && !dropped.isEmpty ? nil : .against(.rollChanged)
        }
        return answered
    }

    private var answered: MatchVerdict? {
        guard let isAnswered else { return .notChecked }
        return isAnswered ? nil : .against(.rollUnanswered)
    }

    private func isShowing(_ old: MatchRoll) -> Bool {
        old.kind == .hidden && state.chance.roll?.kind == .shown
    }

    /// The first roll is of all who have not quit.
    private func firstRoll(_ roll: MatchRoll) -> MatchVerdict? {
        guard roll.number == 2, roll.kind != .shown, roll.answers.isEmpty else {
            return .against(.rollChanged)
        }
        let left = state.seats.indices.filter { !quit.contains(state.seats[$0]) }
        return left.allSatisfy(roll.seats.contains) && isGiven(roll) ? nil : .against(.rollSeats)
    }

    /// Whether the right seats give links, as who could choose would choose by the result.
    ///
    /// All who are in do, or for an open roll the author and whose turn is next.
    private func isGiven(_ roll: MatchRoll) -> Bool {
        guard roll.seats.count > 1 || state.seats.count == 1 else { return false }
        if roll.giving == roll.seats { return true }
        let author = state.seats.firstIndex(of: move.author)
        let two = Set(state.turn + [author].compactMap(\.self))
        return roll.kind == .open && two.count > 1 && !state.turn.isEmpty
            && Set(roll.giving) == two
    }
}

extension MatchRoll {
    /// The seats that have to answer the roll before `state`: not who has quit, and is out then.
    package func answering(in state: MatchState, _ quit: [ParticipantID]) -> [ParticipantID] {
        giving.filter {
            state.chance.roll?.seats.contains($0) ?? true || !quit.contains(state.seats[$0])
        }
        .map { state.seats[$0] }
    }
}
