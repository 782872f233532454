import Messages

/// Plays tic-tac-toe without a screen: it answers every game in which it is its turn.
public final class TicTacToeBot: MSMessagesAppViewController {
    /// Somebody moved: answers, if it is this one's turn.
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
    /// The free square that is best for whoever moves next, the lowest of several; nil if the game
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

    /// What the game is worth for `mark`, who moves next: 1 won, 0 drawn, -1 lost, if both play
    /// as well as they can.
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
