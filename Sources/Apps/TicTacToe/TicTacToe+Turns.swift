import Foundation
import Messages

extension TicTacToe {
    /// The participants who may answer a move: usually the other player.
    ///
    /// Anybody may answer the first move of a game. A single other participant is next then.
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
