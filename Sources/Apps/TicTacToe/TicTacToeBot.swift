import Messages

/// A bot that makes a move in every game of tic-tac-toe when its turn comes.
public final class TicTacToeBot: MSMessagesAppViewController {
    /// Answers a move, if it is the bot's turn.
    public override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        let me = conversation.localParticipantIdentifier
        guard let session = message.session, let game = Game(message: message),
            game.canMove(me), let square = game.bestSquare,
            let moved = game.moved(to: square, by: me)
        else { return }
        conversation.send(moved.message(in: session, playedBy: me))
    }
}

extension Game {
    /// The best free square for the player who moves next, the lowest of several; nil if the game
    /// is over.
    var bestSquare: Int? {
        guard !isOver else { return nil }
        var best: (square: Int, value: Int)?
        for square in squares.indices where squares[square] == nil {
            var game = self
            game.squares[square] = turn
            let value = -game.value(for: game.turn)
            if value > (best?.value ?? .min) { best = (square, value) }
        }
        return best?.square
    }

    /// The value of the game for `mark`, which moves next, if both play as well as they can: 1 for
    /// a win, 0 for a draw, -1 for a loss.
    private func value(for mark: Mark) -> Int {
        if let winner { return winner == mark ? 1 : -1 }
        guard squares.contains(nil) else { return 0 }
        var best = -1
        for square in squares.indices where squares[square] == nil {
            var game = self
            game.squares[square] = mark
            best = max(best, -game.value(for: game.turn))
            if best == 1 { break }
        }
        return best
    }
}
