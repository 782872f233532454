/// The wait before a dial to a node that had no slot for this node.
///
/// A node in need of a link asks with *high priority*: it returns soon enough to get the slot of
/// another link. A node with low priority waits long, and gets a slot only if one is free.
///
/// The priorities are those of neighbour requests in HyParView (see `Mesh`), where a request with
/// high priority is never refused. Here no frame names the priority: a node that returns within
/// seconds has high priority. `LinkSlots` may refuse it in favour of links that are needed more.
package struct BusyWait: Sendable, Equatable {
    /// How much a link is needed.
    package enum Need: Sendable, Equatable {
        /// The link has served its purpose, or the peer will dial this node.
        case dispensable
        /// There are other links, but perhaps no path through them to the peer.
        case furtherLink
        /// A conversation of the link has no other live link.
        case onlyLink
    }

    /// The first and the longest wait with low priority.
    package static let first = Interval.seconds(10)
    package static let longest = Interval.seconds(300)
    /// The range of waits with high priority, in milliseconds.
    ///
    /// The range spreads the attempts at several nodes: after the first success, most others are
    /// left out.
    package static let highPriorityWait: ClosedRange<Int64> = 500...2_000
    /// The number of attempts in a row with high priority.
    ///
    /// All attempts together take longer than the guaranteed tenure of a link.
    package static let attempts = 5

    /// The need for the link when the peer last had no slot.
    package private(set) var need: Need?
    /// Whether the next attempt aims at the slot of another node.
    package private(set) var isHighPriority = false
    private var attempted = 0
    /// Whether a further link has had its only time of high priority.
    private var hadHighPriority = false
    private var delay: Interval?

    package init() {}

    /// The peer has no slot, or has taken the slot back.
    ///
    /// - Returns: the wait before the next dial.
    package mutating func turnedAway(
        _ need: Need,
        using random: inout some RandomNumberGenerator
    ) -> Interval {
        self.need = need
        let mayBeHighPriority =
            switch need {
            case .dispensable: false
            case .furtherLink: !hadHighPriority
            case .onlyLink: true
            }
        guard mayBeHighPriority, attempted < Self.attempts else {
            let full = lowerPriority()
            let jitter = Int64.random(in: 0...full.nanoseconds / 4, using: &random)
            return Interval(nanoseconds: full.nanoseconds - jitter)
        }
        attempted += 1
        isHighPriority = true
        return .milliseconds(Int64.random(in: Self.highPriorityWait, using: &random))
    }

    /// The next attempts have low priority.
    ///
    /// - Returns: the wait before the next dial.
    package mutating func lowerPriority() -> Interval {
        isHighPriority = false
        hadHighPriority = true
        attempted = 0
        let full = min(delay.map { $0 * 2 } ?? Self.first, Self.longest)
        delay = full
        return full
    }
}
