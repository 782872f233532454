package import ParleyCore

/// The clocks of a node: a monotonic one, which may be faster or slower than the clock of the
/// world, and a wall clock.
package struct SimulatedClock: Sendable, Equatable {
    /// The advance of this clock while the clock of the world advances by 1,000.
    package private(set) var rate: Int64 = 1_000
    private var worldStart = Moment.start
    private var ownStart = Moment.start
    /// The offset of the wall clock against the clock of the world, in milliseconds.
    package var wallOffset: Int64 = 0

    package init() {}

    /// The time of the wall clock.
    package func wallMilliseconds(at now: Moment) -> Int64 { now.milliseconds + wallOffset }

    /// The clocks in seconds: the wall clock begins in 2023, the machine 1,000 s before the world.
    package func read(at now: Moment) -> NodeClock {
        let wall = 1_700_000_000 + wallMilliseconds(at: now) / 1_000
        let running = 1_000 + now.milliseconds / 1_000
        return NodeClock(wall: UInt64(max(0, wall)), running: UInt64(running))
    }

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
