import ParleyCore
import Testing

/// How long a node waits that found no slot.
struct BusyWaitTests {
    /// The waits after answers in a row, in milliseconds without jitter.
    @Test(arguments: [
        Series([.dispensable, .dispensable, .dispensable], [10_000, 20_000, 40_000]),
        Series(
            Array(repeating: .dispensable, count: 7),
            [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]
        ),
        Series(
            Array(repeating: .furtherLink, count: 8),
            [500, 500, 500, 500, 500, 10_000, 20_000, 40_000]
        ),
        Series(
            Array(repeating: .onlyLink, count: 13),
            [500, 500, 500, 500, 500, 10_000, 500, 500, 500, 500, 500, 20_000, 500]
        ),
        // A node that had a slot and lost it does not take one from others.
        Series([.dispensable, .furtherLink, .furtherLink], [10_000, 20_000, 40_000]),
        Series([.dispensable, .onlyLink, .dispensable], [10_000, 500, 20_000]),
    ])
    func waitsFollowFromTheNeed(_ series: Series) {
        var wait = BusyWait()
        var random = FixedRandom.lowest
        let waits = series.needs.map { wait.turnedAway($0, using: &random).milliseconds }
        #expect(waits == series.waits)
        #expect(wait.isHighPriority == (series.waits.last == 500))
        #expect(wait.need == series.needs.last)
    }

    /// How much the link was needed at each answer, and the waits, in milliseconds.
    struct Series: Sendable {
        let needs: [BusyWait.Need]
        let waits: [Int64]

        init(_ needs: [BusyWait.Need], _ waits: [Int64]) {
            self.needs = needs
            self.waits = waits
        }
    }

    @Test func waitsAreSpread() {
        var wait = BusyWait()
        var random = FixedRandom.highest
        #expect(wait.turnedAway(.furtherLink, using: &random) == .seconds(2))
        #expect(wait.turnedAway(.dispensable, using: &random) == .milliseconds(7_500))
    }

    /// Those with high priority come again within the time for which they are remembered, others
    /// later; and they try for longer than anybody keeps a slot without merit.
    @Test func theWaitTellsWhoIsInNeed() {
        let memory = TurnedAwayPeers.memory.milliseconds
        #expect(BusyWait.highPriorityWait.upperBound < memory)
        #expect(BusyWait.first.milliseconds * 3 / 4 > memory)
        let mean = (BusyWait.highPriorityWait.lowerBound + BusyWait.highPriorityWait.upperBound) / 2
        #expect(mean * Int64(BusyWait.attempts) > LinkSlots.tenure.milliseconds)
    }

    @Test func nobodyHasHighPriorityAgain() {
        var wait = BusyWait()
        var random = FixedRandom.lowest
        _ = wait.turnedAway(.furtherLink, using: &random)
        #expect(wait.lowerPriority() == .seconds(10))
        #expect(!wait.isHighPriority)
        #expect(wait.turnedAway(.furtherLink, using: &random) == .seconds(20))
    }
}
