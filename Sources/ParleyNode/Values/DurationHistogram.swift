/// A histogram of durations.
package struct DurationHistogram: Equatable, Sendable {
    /// The upper bounds of the buckets, in seconds.
    package static let bounds = [
        0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// The cumulative number of durations up to each bound.
    package private(set) var buckets = [UInt64](repeating: 0, count: bounds.count)
    package private(set) var count: UInt64 = 0
    /// All durations together, in seconds.
    package private(set) var sum = 0.0

    package init() {}

    package mutating func add(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        count += 1
        sum += seconds
        for (index, bound) in Self.bounds.enumerated() where seconds <= bound {
            buckets[index] += 1
        }
    }
}
