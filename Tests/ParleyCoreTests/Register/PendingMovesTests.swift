import ParleyCore
import Testing

/// Feed positions that step over what is on disk still.
@Suite struct PendingMovesTests {
    @Test func gapIsOpenUntilTheCommit() {
        var moves = PendingMoves()
        moves.moved(from: 3, to: 9, until: Ticket(2))
        #expect(moves.gaps(after: 2).ranges == [3..<9])
        moves.committed(Ticket(1))
        #expect(moves.gaps(after: 0).ranges == [3..<9])
        moves.committed(Ticket(2))
        #expect(moves.gaps(after: 0).isEmpty)
        #expect(moves.count == 0)
    }

    /// A peer whose watermark reached the old position has the envelope that was there.
    @Test func peersThatHaveComeAsFarSeeNoGap() {
        var moves = PendingMoves()
        moves.moved(from: 3, to: 9, until: Ticket(1))
        moves.moved(from: 5, to: 10, until: Ticket(2))
        #expect(moves.gaps(after: 2).ranges == [3..<10])
        #expect(moves.gaps(after: 3).ranges == [5..<10])
        #expect(moves.gaps(after: 5).isEmpty)
        moves.committed(Ticket(1))
        #expect(moves.gaps(after: 2).ranges == [5..<10])
    }

    /// Only the place that a session moved to is on its way, until the commit.
    @Test func lastPlaceIsUnderWay() {
        var moves = PendingMoves()
        for (number, end) in [UInt64(4), 9, 10, 15].enumerated() {
            moves.moved(from: UInt64(number) + 1, to: end, until: Ticket(UInt64(number) + 1))
        }
        #expect((0...16).filter { moves.isUnderWay(to: $0) } == [4, 9, 10, 15])
        moves.committed(Ticket(2))
        #expect((0...16).filter { moves.isUnderWay(to: $0) } == [10, 15])
    }

    @Test(arguments: [
        (UInt64(1), true), (2, true), (3, true), (4, false), (5, false), (6, true), (7, false),
        (8, false), (9, true),
    ])
    func containsWhatIsInAnyRange(position: UInt64, isInside: Bool) {
        let gaps = FeedGaps([1..<3, 2..<4, 6..<7, 9..<12])
        #expect(gaps.ranges == [1..<4, 6..<7, 9..<12])
        #expect(gaps.contains(position) == isInside)
        #expect(FeedPlace(position, outside: gaps).claim == (isInside ? 0 : position))
    }

    @Test func laterGapTakesInWhatItTouches() {
        #expect(FeedGaps([2..<3, 5..<6, 1..<9]).ranges == [1..<9])
        #expect(FeedGaps([2..<3, 5..<6, 4..<9]).ranges == [2..<3, 4..<9])
        #expect(FeedGaps([2..<3, 3..<6]).ranges == [2..<6])
    }
}
