import Messages
import MessagesHost

/// What players do in a match; people and the bot do the same.
extension Board {
    /// Rolls all dice that are left, or ends the match if only one player has some.
    @MainActor
    func rolled(in session: MSSession, _ conversation: ParleyConversation?) -> MSMessage? {
        guard match.isMyTurn, let mySeat = match.mySeat, needsRoll || loser != nil else {
            return nil
        }
        var next = Round(dice: nextCounts)
        next.number = (match.roll?.number ?? 1) + 1
        let left = next.dice.indices.filter { next.dice[$0] > 0 }
        let names = left.map { match.seats[$0].name }
        guard left.count > 1 else {
            next.number = match.roll?.number ?? 0
            let message = next.message(in: session, saying: "\(names.first ?? "Nobody") won")
            let outcomes = next.dice.indices.map { left.contains($0) ? ParleyOutcome.won : .lost }
            conversation?.setOutcomes(outcomes, for: message)
            return message
        }
        let line = loser.map { "\(match.seats[$0].name) lost a die" } ?? "The dice are rolled"
        let message = next.message(in: session, saying: line)
        let starter = starter(next.dice, after: loser ?? mySeat)
        conversation?.setRoll(.hidden, of: left.map { match.seats[$0].participant }, for: message)
        conversation?.setTurn([match.seats[starter].participant], for: message)
        return message
    }

    /// Calls higher than the call before.
    @MainActor
    func called(
        _ call: Call,
        in session: MSSession,
        _ conversation: ParleyConversation?
    ) -> MSMessage? {
        guard mayCall, let mySeat = match.mySeat, call.beats(self.call) else { return nil }
        let number = match.roll?.number ?? 0
        let next = Round(dice: counts, number: number, call: call, caller: mySeat)
        let line = "\(match.seats[mySeat].name) calls \(call.text)"
        let message = next.message(in: session, saying: line)
        let turn = match.seats[self.next(after: mySeat)]
        conversation?.setTurn([turn.participant], for: message)
        return message
    }

    /// Doubts the call, so that all dice are shown.
    @MainActor
    func doubted(in session: MSSession, _ conversation: ParleyConversation?) -> MSMessage? {
        guard mayCall, let mySeat = match.mySeat, call != nil, let caller = round.caller else {
            return nil
        }
        var next = round
        next.dice = counts
        next.doubter = mySeat
        let line = "\(match.seats[mySeat].name) does not believe it"
        let message = next.message(in: session, saying: line)
        conversation?.showRoll(with: message)
        let two = [caller, mySeat].map { match.seats[$0].participant }
        conversation?.setTurn(two, for: message)
        return message
    }
}
