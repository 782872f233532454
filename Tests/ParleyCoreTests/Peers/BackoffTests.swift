import ParleyCore
import Testing

/// How long an address waits for its next dial.
struct BackoffTests {
    @Test(arguments: [
        Series(isWanted: true, waits: [200, 400, 800, 1_000, 1_000]),
        Series(
            isWanted: false,
            waits: [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { $0 * 1_000 }
        ),
    ])
    func waitsDoubleUpToALimit(_ series: Series) {
        var backoff = Backoff()
        var random = FixedRandom.lowest
        let waits = series.waits.map { _ in
            backoff.next(isWanted: series.isWanted, at: .start, using: &random).milliseconds
        }
        #expect(waits == series.waits)
    }

    /// The waits of a back-off without jitter, in milliseconds.
    struct Series: Sendable {
        let isWanted: Bool
        let waits: [Int64]
    }

    /// After ten minutes in vain, members are dialled every half minute.
    @Test(arguments: [
        Attempt(isWanted: true, second: 599, waits: [1_000, 1_000]),
        Attempt(isWanted: true, second: 600, waits: [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]),
        Attempt(isWanted: false, second: 600, waits: [16_000, 32_000]),
    ])
    func membersThatStayAwayAreDialledRarely(_ attempt: Attempt) {
        var backoff = Backoff()
        var random = FixedRandom.lowest
        for _ in 0..<4 {
            _ = backoff.next(isWanted: attempt.isWanted, at: .start, using: &random)
        }
        let now = Moment.start + .seconds(attempt.second)
        let waits = attempt.waits.map { _ in
            backoff.next(isWanted: attempt.isWanted, at: now, using: &random).milliseconds
        }
        #expect(waits == attempt.waits)
    }

    /// The waits after four attempts at the start and a pause, in milliseconds.
    struct Attempt: Sendable {
        let isWanted: Bool
        let second: Int64
        let waits: [Int64]
    }

    @Test func jitterTakesAQuarterAtMost() {
        var backoff = Backoff()
        var random = FixedRandom.highest
        let waits = (0..<4).map { _ in
            backoff.next(isWanted: true, at: .start, using: &random).milliseconds
        }
        #expect(waits == [150, 300, 600, 750])
    }
}

/// A generator that draws the same number each time, the lowest or the highest of any range.
struct FixedRandom: RandomNumberGenerator {
    /// Not zero, as drawing from a range repeats the lowest numbers to be fair, here for ever.
    static let lowest = FixedRandom(value: 1 << 20)
    static let highest = FixedRandom(value: .max)

    private let value: UInt64

    private init(value: UInt64) {
        self.value = value
    }

    mutating func next() -> UInt64 { value }
}
