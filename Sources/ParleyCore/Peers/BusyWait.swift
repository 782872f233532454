/// When a node is dialled again that had no slot for this one.
///
/// A node that needs the link asks for it with *high priority*: it comes again so soon that it is
/// given the slot of another link. One with low priority waits long, and gets a slot only if one is
/// free then.
///
/// The priorities are those of the neighbour requests of HyParView (see `Mesh`), which a node that
/// has no active view makes with high priority, and which are never refused then. Here no frame
/// names the priority: a node that comes again within seconds has a high one. `LinkSlots` may still
/// refuse it, as the links that it could take may be needed more.
package struct BusyWait: Sendable, Equatable {
    /// How much a link is needed.
    package enum Need: Sendable, Equatable {
        /// The link has served its purpose, or the peer will dial this node.
        case dispensable
        /// There are other links, and the peer may not be reached through them.
        case furtherLink
        /// No other link shares one of its conversations.
        case onlyLink
    }

    /// The first and the longest wait of a node with low priority.
    package static let first = Interval.seconds(10)
    package static let longest = Interval.seconds(300)
    /// When a node with high priority comes again, in milliseconds.
    ///
    /// The attempts at several nodes are spread, so that most are left out once the first has led
    /// to a slot.
    package static let highPriorityWait: ClosedRange<Int64> = 500...2_000
    /// Attempts in a row of a node with high priority.
    ///
    /// All attempts together take longer than the guaranteed tenure of a link.
    package static let attempts = 5

    /// How much the link was needed when the peer had no slot for this node last.
    package private(set) var need: Need?
    /// Whether the next attempt is made to get the slot of another node.
    package private(set) var isHighPriority = false
    private var attempted = 0
    /// Whether a further link had high priority already, which it has only once.
    private var hadHighPriority = false
    private var delay: Interval?

    package init() {}

    /// The peer has no slot, or none any more.
    ///
    /// - Returns: how long to wait before it is dialled again.
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
    /// - Returns: how long to wait before the peer is dialled again.
    package mutating func lowerPriority() -> Interval {
        isHighPriority = false
        hadHighPriority = true
        attempted = 0
        let full = min(delay.map { $0 * 2 } ?? Self.first, Self.longest)
        delay = full
        return full
    }
}
