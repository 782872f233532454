/// The wait before an address is dialled again: longer each time, with jitter.
package struct Backoff: Sendable {
    private var delay: Interval?
    private var since: Moment?

    /// First and longest wait for wanted addresses, and the longest after ten minutes in vain.
    private static let wanted = (first: Interval.milliseconds(200), longest: Interval.seconds(1))
    private static let wantedLongest = Interval.seconds(30)
    private static let patience = Interval.seconds(600)
    /// First and longest wait for strangers.
    private static let stranger = (first: Interval.seconds(1), longest: Interval.seconds(300))

    package init() {}

    /// The next wait, up to a quarter shorter than its full length.
    package mutating func next(
        isWanted: Bool,
        at now: Moment,
        using random: inout some RandomNumberGenerator
    ) -> Interval {
        let start = since ?? now
        since = start
        let range = isWanted ? Self.wanted : Self.stranger
        let isOld = isWanted && start + Self.patience <= now
        let longest = isOld ? Self.wantedLongest : range.longest
        let full = min(delay.map { $0 * 2 } ?? range.first, longest)
        delay = full
        let jitter = Int64.random(in: 0...full.nanoseconds / 4, using: &random)
        return Interval(nanoseconds: full.nanoseconds - jitter)
    }
}
