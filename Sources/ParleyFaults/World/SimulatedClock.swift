package import ParleyCore

/// The monotonic clock of one node, which may run faster or slower than the world's.
package struct SimulatedClock: Sendable, Equatable {
    /// How far it goes while the world's goes 1,000.
    package private(set) var rate: Int64 = 1_000
    private var worldStart = Moment.start
    private var ownStart = Moment.start

    package init() {}

    /// Goes at another rate from now on.
    package mutating func run(at rate: Int64, from now: Moment) {
        ownStart = moment(at: now)
        worldStart = now
        self.rate = max(1, rate)
    }

    /// What it shows at a moment of the world.
    package func moment(at now: Moment) -> Moment {
        guard rate != 1_000 || ownStart != worldStart else { return now }
        let passed = (now - worldStart).nanoseconds
        return ownStart
            + Interval(nanoseconds: passed / 1_000 * rate + passed % 1_000 * rate / 1_000)
    }

    /// The first moment of the world at which it shows `moment` or more.
    package func worldMoment(of moment: Moment) -> Moment {
        guard rate != 1_000 || ownStart != worldStart else { return moment }
        let left = (moment - ownStart).nanoseconds
        let passed = left / rate * 1_000 + left % rate * 1_000 / rate
        return worldStart + Interval(nanoseconds: passed + 1_000)
    }
}
