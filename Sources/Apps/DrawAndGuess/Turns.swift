import Foundation
import MessagesHost

/// The order in which seats draw, as message and match tell.
protocol Turns {
    var board: Board { get }
    var match: ParleyMatch { get }
}

extension Turns {
    var seats: [UUID] { match.seats.map(\.participant) }
    /// The seat that draws or is to choose a word; after somebody has left, the next one.
    var drawer: Int? {
        guard match.phase == .running, let seat = match.seats.firstIndex(where: \.hasTurn) else {
            return nil
        }
        return match.seats[seat].hasQuit ? self.seat(after: seat) : seat
    }
    var isMyDrawing: Bool { drawer != nil && drawer == match.mySeat }
    /// Whether there is a word to be drawn and guessed.
    var isDrawn: Bool {
        board.seal != nil && drawer != nil && board.turn % match.seats.count == drawer
    }

    /// The number of the drawer's turn.
    var turn: Int {
        isDrawn ? board.turn : drawer.map { turn(of: $0, after: board.turn) } ?? 0
    }

    /// The number of the next turn of a seat.
    ///
    /// Seats in between have left, or their time was over: their turns are gone.
    func turn(of seat: Int, after turn: Int) -> Int {
        let (first, count) = (turn + 1, match.seats.count)
        return first + (seat - first % count + count) % count
    }

    /// Whether everybody has drawn: once, and twice if there are two or three.
    func isEnd(_ turn: Int) -> Bool {
        turn >= match.seats.count * (match.seats.count <= 3 ? 2 : 1)
    }

    /// Whether it is nobody's turn to draw any more.
    var hasEnded: Bool { drawer != nil && isEnd(turn) }

    func seat(after seat: Int) -> Int {
        let count = match.seats.count
        return (1...count).map { (seat + $0) % count }.first { !match.seats[$0].hasQuit } ?? seat
    }
}
