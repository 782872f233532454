import Messages
import MessagesHost

/// A bot that takes a seat in every match of tic-tac-toe, and moves when its turn comes.
public final class TicTacToeBot: MSMessagesAppViewController, ParleyApp {
    /// Takes a free seat, or moves.
    public func matchDidChange(
        _ match: ParleyMatch,
        message: MSMessage,
        conversation: MSConversation
    ) {
        let isFull = match.seats.count + match.waiting.count >= match.size.upperBound
        if match.choices.contains(.takeSeat), !isFull {
            conversation.parley?.takeSeat(in: message)
        }
        guard match.isMyTurn, match.seats.count == 2, var game = Game(message: message) else {
            return
        }
        (game.x, game.o) = (match.seats[0].participant, match.seats[1].participant)
        move(in: game, message, conversation)
    }

    /// Answers a move in a game without seats.
    public override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        guard conversation.parley?.match(of: message) == nil, let game = Game(message: message)
        else { return }
        move(in: game, message, conversation)
    }

    private func move(in game: Game, _ message: MSMessage, _ conversation: MSConversation) {
        let me = conversation.localParticipantIdentifier
        guard let session = message.session, game.canMove(me), let square = game.bestSquare,
            let moved = game.moved(to: square, by: me)
        else { return }
        let answer = moved.message(in: session, playedBy: me)
        if moved.isOver { conversation.parley?.setOutcomes(moved.outcomes, for: answer) }
        conversation.send(answer)
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
