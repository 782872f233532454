import Messages
import MessagesHost

/// One move of a player, person or bot; the rules allow no other kinds.
struct Play: Equatable {
    /// The round after it.
    var round: Round
    /// The seats whose turn it is then; none at the end.
    var turn: [Int] = []
    /// The seats that roll the dice; nil if they stay as they are.
    var rolling: [Int]?
    /// Whether all dice are shown.
    var shows = false
    /// The result of each seat, which ends the match.
    var outcomes: [ParleyOutcome] = []
}

extension Play {
    /// The message for others.
    @MainActor
    func message(
        in session: MSSession,
        after board: Board,
        _ conversation: ParleyConversation?
    ) -> MSMessage {
        let message = round.message(in: session, saying: line(after: board))
        let seats = board.match.seats
        guard outcomes.isEmpty else {
            conversation?.setOutcomes(outcomes, for: message)
            return message
        }
        if let rolling {
            let players = rolling.map { seats[$0].participant }
            conversation?.setRoll(.hidden, of: players, for: message)
        }
        if shows { conversation?.showRoll(with: message) }
        conversation?.setTurn(turn.map { seats[$0].participant }, for: message)
        return message
    }

    private func line(after board: Board) -> String {
        let seats = board.match.seats
        if let winner = outcomes.firstIndex(of: .won) { return "\(seats[winner].name) won" }
        if !outcomes.isEmpty { return "Nobody won" }
        if let doubter = round.doubter { return "\(seats[doubter].name) does not believe it" }
        if let caller = round.caller, let call = round.call {
            return "\(seats[caller].name) calls \(call.text)"
        }
        return board.loser.map { "\(seats[$0].name) lost a die" } ?? "The dice are rolled"
    }
}

extension Board {
    /// Rolls all dice that are left, or ends the match if only one player has some.
    var rolled: Play? {
        guard match.isMyTurn, let mySeat = match.mySeat, needsRoll || loser != nil else {
            return nil
        }
        var next = Round(dice: nextCounts)
        let left = next.dice.indices.filter { next.dice[$0] > 0 }
        guard left.count > 1 else {
            next.number = match.roll?.number ?? 0
            let outcomes = next.dice.indices.map { left.contains($0) ? ParleyOutcome.won : .lost }
            return Play(round: next, outcomes: outcomes)
        }
        next.number = (match.roll?.number ?? 1) + 1
        let starter = starter(next.dice, after: loser ?? mySeat)
        return Play(round: next, turn: [starter], rolling: left)
    }

    /// Calls higher than the call before.
    func called(_ call: Call) -> Play? {
        guard mayCall, let mySeat = match.mySeat, call.beats(self.call) else { return nil }
        let number = match.roll?.number ?? 0
        let next = Round(dice: counts, number: number, call: call, caller: mySeat)
        return Play(round: next, turn: [self.next(after: mySeat)])
    }

    /// Doubts the call, so that all dice are shown.
    var doubted: Play? {
        guard mayCall, let mySeat = match.mySeat, call != nil, let caller = round.caller else {
            return nil
        }
        var next = round
        next.dice = counts
        next.doubter = mySeat
        return Play(round: next, turn: [caller, mySeat].sorted(), shows: true)
    }
}
