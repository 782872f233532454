package import ParleyCore

/// The time of a world: the coming events in order, and the randomness of delays.
package struct Timeline {
    package private(set) var now = Moment.start
    package var random: SeededRandom
    private var queue = EventQueue<World.Event>()
    /// The number of events since the time last changed.
    private var eventsNow = 0

    /// Of so many events at one moment there is no end.
    private static let eventsNowMax = 200_000

    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// The time of the next event.
    package var nextTime: Moment? { queue.nextTime }

    /// Whether the events of the present moment have no end.
    package var isStuck: Bool { eventsNow >= Self.eventsNowMax }

    /// The next event, to whose time this time passes.
    package mutating func next() -> World.Event? {
        guard let (time, event) = queue.next() else { return nil }
        eventsNow = time == now ? eventsNow + 1 : 0
        now = time
        return event
    }

    /// Lets the time pass, if it is earlier.
    package mutating func pass(to time: Moment) { now = max(now, time) }

    // MARK: Planning

    /// Plans an event for a moment.
    package mutating func plan(_ event: World.Event, at time: Moment) {
        queue.add(event, at: time)
    }

    /// Plans an event after an interval.
    package mutating func plan(_ event: World.Event, after interval: Interval) {
        queue.add(event, at: now + interval)
    }

    /// Plans an event after a random number of microseconds.
    package mutating func plan(_ event: World.Event, in range: ClosedRange<Int64>) {
        let delay = Interval(nanoseconds: Int64.random(in: range, using: &random) * 1_000)
        plan(event, after: delay)
    }

    /// A random delay: uniform, or exponential above the lower end of a range of microseconds.
    ///
    /// The exponential delay is made of a number of halvings and a uniform rest, so no logarithm of
    /// a machine matters. The delay is at most 40 times the mean.
    package mutating func delay(_ range: ClosedRange<Int64>, mean: Int64) -> Interval {
        var delay: Int64
        if mean > 0 {
            let word = random.next()
            let halvings = Int64((word | 1 << 40).trailingZeroBitCount)
            let rest = Int64(random.next() >> 54)
            delay = range.lowerBound + mean * (halvings * 1_024 + rest) / 1_478
        } else {
            delay = Int64.random(in: range, using: &random)
        }
        return Interval(nanoseconds: delay * 1_000)
    }
}
