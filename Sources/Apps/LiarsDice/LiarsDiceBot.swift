import Messages
import MessagesHost

/// A bot that takes a seat in every match of liar's dice, and calls what is likely.
public final class LiarsDiceBot: MSMessagesAppViewController, ParleyApp {
    /// Takes a free seat, or does what is to be done.
    public func matchDidChange(
        _ match: ParleyMatch,
        message: MSMessage,
        conversation: MSConversation
    ) {
        let parley = conversation.parley
        let isFull = match.seats.count + match.waiting.count >= match.size.upperBound
        if match.choices.contains(.takeSeat), !isFull { parley?.takeSeat(in: message) }
        guard match.phase == .running, match.isMyTurn, let session = message.session else { return }
        let board = Board(message.url, in: match)
        // Of two who may go on, the one who loses a die does.
        if let loser = board.loser, loser != match.mySeat, !match.seats[loser].hasQuit { return }
        let play = board.rolled ?? board.likelyCall.flatMap(board.called) ?? board.doubted
        if let play { conversation.send(play.message(in: session, after: board, parley)) }
    }
}

extension Board {
    /// The lowest call that is likely by the own dice; nil to doubt the one before.
    var likelyCall: Call? {
        guard let mySeat = match.mySeat, let own = dice(of: mySeat) else { return nil }
        let others = counts.reduce(0, +) - own.count
        let calls = (1...6).map { face in
            Call(count: own.count { $0 == face } + others / 6, face: face)
        }
        let possible = calls.filter { $0.beats(call) }
        // Without a call before, something has to be said.
        return possible.min { ($0.count, $0.face) < ($1.count, $1.face) }
            ?? (call == nil ? Call(count: 1, face: own.first ?? 1) : nil)
    }
}
