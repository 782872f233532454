import Foundation
import MessagesHost

extension LiarsDice {
    /// The rules of a match: who rolls, calls or doubts, and what follows from the dice.
    nonisolated public static func rules(_ move: ParleyMove) -> ParleyRuling {
        let match = move.before.match
        guard let round = Round(move.after.url, seats: match.seats.count) else {
            return .against("There are no such dice and no such call.")
        }
        guard match.phase == .running else {
            return round == Round() ? .allowed : .against("A game begins without dice.")
        }
        let board = Board(move.before.url, in: match)
        let play = Play(round, move)
        if [board.rolled, board.doubted, round.call.flatMap(board.called)].contains(play) {
            return .allowed
        }
        // Whoever wrote the message may have had the dice that are missing here.
        let others = match.roll?.missing.filter { !isAuthor($0, in: match) } ?? []
        guard others.isEmpty else { return .unknown }
        return .against(board.refusal(of: play))
    }

    /// Whether a participant wrote the move, and so has the dice of their own.
    nonisolated private static func isAuthor(_ participant: UUID, in match: ParleyMatch) -> Bool {
        match.mySeat.map { match.seats[$0].participant == participant } ?? false
    }
}

extension Play {
    /// Reads from a message what its author did.
    fileprivate init(_ round: Round, _ move: ParleyMove) {
        let (before, after) = (move.before.match, move.after.match)
        self.init(round: round)
        turn = after.seats.indices.filter { after.seats[$0].hasTurn }
        outcomes = after.outcomes.map { $0 == .quit ? .lost : $0 }
        guard outcomes.isEmpty, let roll = after.roll else { return }
        shows = roll.isShown && before.roll?.isShown == false
        if roll.number != before.roll?.number {
            rolling = after.seats.indices.filter {
                roll.participants.contains(after.seats[$0].participant)
            }
        }
    }
}

extension Board {
    fileprivate func refusal(of play: Play) -> String {
        if !play.outcomes.isEmpty { return "The result is not that of the dice." }
        if play.rolling != nil { return "Who has how many dice follows from the round before." }
        if let call = play.round.call, play.round.doubter == nil, !call.beats(self.call) {
            return "A call has to be higher than the one before."
        }
        return "It is the turn of somebody else, or time for something else."
    }
}
