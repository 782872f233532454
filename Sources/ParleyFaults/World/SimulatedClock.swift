package import ParleyCore

/// The monotonic clock of a node, which may be faster or slower than the clock of the world.
package struct SimulatedClock: Sendable, Equatable {
    /// The advance of this clock while the clock of the world advances by 1,000.
    package private(set) var rate: Int64 = 1_000
    private var worldStart = Moment.start
    private var ownStart = Moment.start

    package init() {}

    /// Changes the rate from now on.
    package mutating func run(at rate: Int64, from now: Moment) {
        ownStart = moment(at: now)
        worldStart = now
        self.rate = max(1, rate)
    }

    /// The time of this clock at a moment of the world.
    package func moment(at now: Moment) -> Moment {
        guard rate != 1_000 || ownStart != worldStart else { return now }
        let passed = (now - worldStart).nanoseconds
        return ownStart
            + Interval(nanoseconds: passed / 1_000 * rate + passed % 1_000 * rate / 1_000)
    }

    /// The first moment of the world at which this clock has reached `moment`.
    package func worldMoment(of moment: Moment) -> Moment {
        guard rate != 1_000 || ownStart != worldStart else { return moment }
        let left = (moment - ownStart).nanoseconds
        let passed = left / rate * 1_000 + left % rate * 1_000 / rate
        return worldStart + Interval(nanoseconds: passed + 1_000)
    }
}
