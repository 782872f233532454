/// How long source addresses wait after strangers that prove nothing, again and again.
///
/// Each such stranger costs a handshake. A few of them are normal: nodes that share nothing find
/// each other on every network. A source from which a peer proved a conversation never waits, so
/// that nobody can make a member's address wait.
package struct SourcePauses: Sendable {
    private struct Source: Sendable {
        /// Strangers that proved nothing, less one for each second since.
        var failures = 0
        var countedAt: Moment
        /// The last pause, until all failures are forgotten.
        var pause: Interval?
        var pausedUntil = Moment.start
        var hasProved = false
    }

    private var sources: [Bytes16: Source] = [:]

    /// Strangers that may prove nothing in a row before their source waits.
    package static let failuresMax = 32
    /// The first pause; each further one is twice as long, up to the longest.
    package static let first = Interval.milliseconds(250)
    package static let longest = Interval.seconds(30)
    /// After this time, one failure is forgotten.
    package static let memory = Interval.seconds(1)
    /// Sources that are remembered.
    private static let countMax = 1_024

    package init() {}

    /// Whether connections from this source are closed at once.
    package func isPaused(_ source: Bytes16, at now: Moment) -> Bool {
        sources[source].map { now < $0.pausedUntil } ?? false
    }

    /// A peer from this source has proved a conversation.
    package mutating func proved(source: Bytes16) {
        makeCapacity(for: source)
        sources[source, default: Source(countedAt: .start)].hasProved = true
        sources[source]?.pausedUntil = .start
    }

    /// A stranger from this source has gone without a proof.
    package mutating func provedNothing(source: Bytes16, at now: Moment) {
        makeCapacity(for: source)
        var state = sources[source] ?? Source(countedAt: now)
        defer { sources[source] = state }
        guard !state.hasProved else { return }
        // Strangers from before the pause do not count again.
        guard now >= state.pausedUntil else { return }
        let passed = (now - state.countedAt).nanoseconds / Self.memory.nanoseconds
        state.countedAt = state.countedAt + Interval(nanoseconds: passed * Self.memory.nanoseconds)
        state.failures = max(0, state.failures - Int(passed))
        if state.failures == 0 { state.pause = nil }
        guard state.failures == Self.failuresMax else {
            state.failures += 1
            return
        }
        let pause = min(state.pause.map { $0 * 2 } ?? Self.first, Self.longest)
        state.pause = pause
        state.pausedUntil = now + pause
        // Nothing is forgotten during the pause, so that a longer pause follows a useless one.
        state.countedAt = state.pausedUntil
    }

    /// At the limit, forgets the source that failed longest ago, and sources with a proof last.
    private mutating func makeCapacity(for source: Bytes16) {
        guard sources[source] == nil, sources.count >= Self.countMax else { return }
        let oldest = sources.min { left, right in
            let (one, other) = (left.value, right.value)
            guard one.hasProved == other.hasProved else { return other.hasProved }
            return (one.countedAt, left.key) < (other.countedAt, right.key)
        }
        if let oldest { sources[oldest.key] = nil }
    }
}
