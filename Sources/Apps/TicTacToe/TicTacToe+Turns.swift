import Foundation
import Messages

extension TicTacToe {
    /// The participants who may answer a move: the player whose turn it is.
    ///
    /// The first move of a game can be answered by anybody; if there is only one other person, it
    /// is that person's turn.
    public static func next(
        after message: MSMessage,
        from sender: UUID,
        to others: [UUID]
    ) -> [UUID] {
        guard let game = Game(message: message), !game.isOver else { return [] }
        if let player = game.player(game.turn) { return [player] }
        return others.count == 1 ? others : []
    }
}
