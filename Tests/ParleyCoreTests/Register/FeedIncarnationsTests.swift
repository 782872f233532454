import ParleyCore
import Testing

@Suite struct FeedIncarnationsTests {
    struct Case: Sendable {
        let incarnation: UInt64
        let position: UInt64
        let resumesAt: UInt64
        init(_ incarnation: UInt64, _ position: UInt64, resumesAt: UInt64) {
            self.incarnation = incarnation
            self.position = position
            self.resumesAt = resumesAt
        }
    }

    /// Incarnation 7 gave the positions 1 to 10, 8 gave 11 to 25, and 9 none yet beyond 30.
    @Test(arguments: [
        Case(0, 0, resumesAt: 0),
        Case(0, 20, resumesAt: 0),
        Case(99, 20, resumesAt: 0),
        Case(7, 4, resumesAt: 4),
        Case(7, 10, resumesAt: 10),
        Case(7, 18, resumesAt: 10),
        Case(8, 18, resumesAt: 18),
        Case(8, 26, resumesAt: 25),
        Case(9, 28, resumesAt: 28),
        Case(9, 31, resumesAt: 30),
        Case(9, 0, resumesAt: 0),
    ])
    func resumesAtTheEndOfTheIncarnationAtMost(_ item: Case) {
        var known = FeedIncarnations([
            FeedIncarnation(id: 7, start: 0), FeedIncarnation(id: 8, start: 10),
        ])
        known.start(FeedIncarnation(id: 9, start: 25))
        let cursor = FeedCursor(incarnation: item.incarnation, position: item.position)
        #expect(known.resume(from: cursor, latest: 30) == item.resumesAt)
    }

    @Test func withoutIncarnationsEverybodyStartsOver() {
        let known = FeedIncarnations()
        #expect(known.present == nil)
        #expect(known.resume(from: FeedCursor(incarnation: 1, position: 5), latest: 9) == 0)
        #expect(known.resume(from: .beginning, latest: 9) == 0)
    }

    @Test func oldestIncarnationsAreForgotten() {
        var known = FeedIncarnations((1...64).map { FeedIncarnation(id: $0, start: $0 * 10) })
        #expect(known.resume(from: FeedCursor(incarnation: 1, position: 15), latest: 999) == 15)

        known.start(FeedIncarnation(id: 65, start: 650))

        #expect(known.incarnations.count == 64)
        #expect(known.present == FeedIncarnation(id: 65, start: 650))
        #expect(known.resume(from: FeedCursor(incarnation: 1, position: 15), latest: 999) == 0)
        #expect(known.resume(from: FeedCursor(incarnation: 2, position: 25), latest: 999) == 25)
        #expect(
            FeedIncarnations(known.incarnations + [FeedIncarnation(id: 66, start: 700)])
                .incarnations.first?.id == 3
        )
    }

    /// A store that was set back to position 60 gives what came after again, whoever asks.
    @Test func storeThatWasSetBackRepeats() {
        var known = FeedIncarnations([FeedIncarnation(id: 5, start: 0)])
        known.start(FeedIncarnation(id: 6, start: 60))
        #expect(known.resume(from: FeedCursor(incarnation: 5, position: 90), latest: 61) == 60)
    }
}
