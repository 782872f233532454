import ParleyCore
import Testing

@Suite struct FeedRunsTests {
    struct Case: Sendable {
        let run: UInt64
        let position: UInt64
        let resumesAt: UInt64
        init(_ run: UInt64, _ position: UInt64, resumesAt: UInt64) {
            self.run = run
            self.position = position
            self.resumesAt = resumesAt
        }
    }

    /// Run 7 gave the positions 1 to 10, run 8 gave 11 to 25, run 9 none yet beyond 30.
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
    func resumesAtTheEndOfTheRunAtMost(_ item: Case) {
        var runs = FeedRuns([FeedRun(id: 7, start: 0), FeedRun(id: 8, start: 10)])
        runs.start(FeedRun(id: 9, start: 25))
        let cursor = FeedCursor(run: item.run, position: item.position)
        #expect(runs.resume(from: cursor, latest: 30) == item.resumesAt)
    }

    @Test func withoutRunsEverybodyStartsOver() {
        let runs = FeedRuns()
        #expect(runs.present == nil)
        #expect(runs.resume(from: FeedCursor(run: 1, position: 5), latest: 9) == 0)
        #expect(runs.resume(from: .beginning, latest: 9) == 0)
    }

    @Test func oldestRunsAreForgotten() {
        var runs = FeedRuns((1...64).map { FeedRun(id: $0, start: $0 * 10) })
        #expect(runs.resume(from: FeedCursor(run: 1, position: 15), latest: 999) == 15)

        runs.start(FeedRun(id: 65, start: 650))

        #expect(runs.runs.count == 64)
        #expect(runs.present == FeedRun(id: 65, start: 650))
        #expect(runs.resume(from: FeedCursor(run: 1, position: 15), latest: 999) == 0)
        #expect(runs.resume(from: FeedCursor(run: 2, position: 25), latest: 999) == 25)
        #expect(FeedRuns(runs.runs + [FeedRun(id: 66, start: 700)]).runs.first?.id == 3)
    }

    /// A store that was set back to position 60 gives what came after again, whoever asks.
    @Test func storeThatWasSetBackRepeats() {
        var runs = FeedRuns([FeedRun(id: 5, start: 0)])
        runs.start(FeedRun(id: 6, start: 60))
        #expect(runs.resume(from: FeedCursor(run: 5, position: 90), latest: 61) == 60)
    }
}
