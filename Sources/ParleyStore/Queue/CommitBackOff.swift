/// How long a `CommitQueue` waits after failed commits, in milliseconds.
struct CommitBackOff {
    private let range: ClosedRange<Int>
    private var following: Int
    private var number = 0

    /// Waits `range.lowerBound` after the first failure, and twice as long after each further one.
    init(_ range: ClosedRange<Int>) {
        self.range = range
        following = range.lowerBound
    }

    /// The next wait, and its number.
    mutating func next() -> (milliseconds: Int, number: Int) {
        defer { following = min(following * 2, range.upperBound) }
        number += 1
        return (following, number)
    }

    /// Whether the wait with this number is the last begun.
    func isLatest(_ number: Int) -> Bool { number == self.number }

    /// A commit succeeded.
    mutating func reset() { following = range.lowerBound }
}
