import Foundation
import ParleyNode

/// The states that follow one another in a match.
extension Match {
    /// The same state, without what only the message before did.
    private var plain: Match {
        var match = self
        match.turn = nil
        match.outcomes = nil
        match.claim = nil
        match.undone = nil
        match.overruled = nil
        match.mayUndo = nil
        match.sealing = nil
        return match
    }

    /// The participants who may write the next message; empty if everybody may.
    ///
    /// All with a seat may, so that a match goes on without somebody whose time is over.
    var next: [UUID] { phase == .offered ? [] : seats }

    /// The offer with these seats confirmed.
    func confirmed(_ seats: [UUID]) -> Match {
        var match = plain
        match.seats = seats
        return match
    }

    /// The first turn, of the first seat.
    func started(_ seats: [UUID]) -> Match {
        var match = confirmed(seats)
        match.phase = .running
        match.turn = [0]
        return match
    }

    /// The next turn; the clock stays as it is.
    func moved(to turn: [Int]) -> Match {
        var match = plain
        match.turn = turn.isEmpty ? nil : turn.sorted()
        return match
    }

    /// The next roll of these seats, which are those that are still in.
    func nextRoll(
        _ call: ParleyRoll.Call,
        of seats: [Int],
        by author: Int?
    ) -> Roll {
        let two = Set((turn ?? []) + [author].compactMap(\.self)).intersection(seats)
        let isOfTwo = call == .open && two.count > 1 && !(turn ?? []).isEmpty
        return Roll(
            call == .hidden ? .hidden : .open,
            number: (roll?.number ?? 1) + 1,
            seats: seats.sorted(),
            giving: isOfTwo ? two.sorted() : nil
        )
    }

    /// The end.
    func ended(_ outcomes: [Outcome]) -> Match {
        var match = plain
        match.phase = .over
        match.clock = nil
        match.outcomes = outcomes
        return match
    }

    /// The offer of a match with open seats.
    static func offer(_ seats: ClosedRange<Int>, by participant: UUID) -> Match {
        var match = Match(.offered, least: seats.lowerBound, most: seats.upperBound)
        match.seats = [participant]
        return match
    }

    /// The offer after this match: a rematch of its session, or without that one of open seats.
    func offer(
        rematchOf session: SessionID?,
        _ seats: ClosedRange<Int>,
        by participant: UUID
    ) -> Match {
        session.map { rematch(of: $0, by: participant) } ?? .offer(seats, by: participant)
    }

    /// The offer of a rematch, for all who had a seat.
    func rematch(of session: SessionID, by participant: UUID) -> Match {
        var match = Match(.offered, least: seats.count, most: seats.count)
        match.seats = [participant]
        match.previous = session
        return match
    }

    /// The seats of a rematch: everybody is one seat further.
    var seatsOfRematch: [UUID] { Array(seats.dropFirst() + seats.prefix(1)) }
}

extension SessionID {
    /// The session of the next match: the number after the number of this session.
    ///
    /// Everybody finds the same, so two requests for a rematch at once begin one match.
    var ofNextMatch: SessionID { number(away: 1) }

    /// The session of which this one would be `ofNextMatch`.
    var ofMatchBefore: SessionID { number(away: UInt64(1 << 56) - 1) }

    /// The session whose last 7 bytes are so much greater, as one number.
    private func number(away distance: UInt64) -> SessionID {
        var bytes = uuid.uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            var sum = distance
            for index in (9..<16).reversed() {
                sum += UInt64(bytes[index])
                bytes[index] = UInt8(truncatingIfNeeded: sum)
                sum >>= 8
            }
        }
        return SessionID(UUID(uuid: bytes))
    }
}
