import Messages
import MessagesHost

/// What one player sees of a match: the round of the message, and the dice of the roll.
struct Board {
    let round: Round
    let match: ParleyMatch

    /// Reads the URL of a message; what no player could have written is a round without a call.
    init(_ url: URL?, in match: ParleyMatch) {
        round = Round(url, seats: match.seats.count) ?? Round()
        self.match = match
    }

    /// The dice that each seat has: none for who has left or is out.
    var counts: [Int] {
        match.seats.enumerated().map { seat, player in
            let isIn = match.roll?.participants.contains(player.participant) ?? true
            return !isIn ? 0 : round.dice.isEmpty ? Round.diceMax : round.dice[seat]
        }
    }

    /// The seats that play on: with dice, and not left.
    var inPlay: [Int] {
        match.seats.indices.filter { counts[$0] > 0 && !match.seats[$0].hasQuit }
    }

    /// The call, if it is of the dice that are on the table now.
    var call: Call? { match.roll?.number == round.number ? round.call : nil }

    /// The dice of a seat; nil if they are hidden here, or still to come.
    func dice(of seat: Int) -> [Int]? {
        match.roll?.dice(of: match.seats[seat].participant, count: counts[seat])
    }

    /// Who is missing in the roll, of those who have not left.
    var waitsFor: [ParleySeat] {
        let missing = match.roll?.missing ?? []
        return match.seats.filter { missing.contains($0.participant) && !$0.hasQuit }
    }

    /// Whether the dice are still to be rolled: at the beginning, and if somebody who has left is
    /// missing in the roll.
    var needsRoll: Bool {
        guard let roll = match.roll else { return true }
        return !roll.missing.isEmpty && waitsFor.isEmpty
    }

    /// Whether the dice lie under the cups, and it is time for a call or a doubt.
    var mayCall: Bool {
        match.isMyTurn && match.roll.map { !$0.isShown && $0.missing.isEmpty } ?? false
    }

    /// The dice with the face of the call, once all are shown.
    var found: Int? {
        guard let call, let roll = match.roll, roll.isShown, roll.missing.isEmpty else {
            return nil
        }
        let all = match.seats.indices.compactMap { dice(of: $0) }.joined()
        return all.count { $0 == call.face }
    }

    /// The seat that loses a die, once all dice are shown: who called too much, or who doubted.
    var loser: Int? {
        guard let found, let call = round.call else { return nil }
        return found < call.count ? round.caller : round.doubter
    }

    /// The dice of each seat in the next round.
    var nextCounts: [Int] {
        var next = counts.enumerated().map { inPlay.contains($0) ? $1 : 0 }
        if let loser { next[loser] = max(0, next[loser] - 1) }
        return next
    }

    /// The seat that begins the next round: who lost a die, or else the next one.
    func starter(_ counts: [Int], after seat: Int) -> Int {
        let able = counts.indices.filter { counts[$0] > 0 }
        return able.first { $0 >= seat } ?? able.first ?? seat
    }

    /// The seat whose turn it is after `seat`.
    func next(after seat: Int) -> Int { inPlay.first { $0 > seat } ?? inPlay.first ?? seat }
}
