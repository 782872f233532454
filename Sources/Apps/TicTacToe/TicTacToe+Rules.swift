import MessagesHost

extension TicTacToe {
    /// The rules of a match: one mark in a free square, until there is a line or no free square.
    nonisolated public static func rules(_ move: ParleyMove) -> ParleyRuling {
        guard let after = Game(url: move.after.url) else { return .against("There is no board.") }
        let match = move.before.match
        guard match.phase == .running else {
            return after.squares == Game().squares ? .allowed : .against("The board is not empty.")
        }
        guard let before = Game(url: move.before.url), match.seats.count == 2 else {
            return .unknown
        }
        guard match.mySeat == (before.turn == .x ? 0 : 1) else {
            return .against("It is the turn of \(before.turn.rawValue).")
        }
        let moves = before.squares.indices.filter { before.squares[$0] == nil }.map { square in
            var game = before
            game.squares[square] = before.turn
            return game.squares
        }
        guard !before.isOver, moves.contains(after.squares) else {
            return .against("A move is one mark in a free square.")
        }
        let outcomes = zip(after.outcomes, match.seats).map { $1.hasQuit ? .quit : $0 }
        return move.after.match.outcomes == (after.isOver ? outcomes : [])
            ? .allowed : .against("The result is not that of the board.")
    }
}
