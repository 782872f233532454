/// When a node is dialled again that had no slot for this one.
///
/// A node that needs the link *insists*: it comes again so soon that it is given the slot of
/// another one. Else it waits long, and gets a slot only if one is free then.
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

    /// The first and the longest wait of a node that does not insist.
    package static let first = Interval.seconds(10)
    package static let longest = Interval.seconds(300)
    /// When a node that insists comes again, in milliseconds.
    ///
    /// The attempts at several nodes are spread, so that most are left out once the first has led
    /// to a slot.
    package static let insistence: ClosedRange<Int64> = 500...2_000
    /// Attempts in a row of a node that insists.
    ///
    /// All attempts together take longer than the guaranteed tenure of a link.
    package static let attempts = 5

    /// How much the link was needed when the peer had no slot for this node last.
    package private(set) var need: Need?
    /// Whether the next attempt is made to get the slot of another node.
    package private(set) var isInsisting = false
    private var attempted = 0
    /// Whether this node has insisted on a further link, which it does only once.
    private var hasInsisted = false
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
        let mayInsist =
            switch need {
            case .dispensable: false
            case .furtherLink: !hasInsisted
            case .onlyLink: true
            }
        guard mayInsist, attempted < Self.attempts else {
            let full = relent()
            let jitter = Int64.random(in: 0...full.nanoseconds / 4, using: &random)
            return Interval(nanoseconds: full.nanoseconds - jitter)
        }
        attempted += 1
        isInsisting = true
        return .milliseconds(Int64.random(in: Self.insistence, using: &random))
    }

    /// This node does not insist any more.
    ///
    /// - Returns: how long to wait before the peer is dialled again.
    package mutating func relent() -> Interval {
        isInsisting = false
        hasInsisted = true
        attempted = 0
        let full = min(delay.map { $0 * 2 } ?? Self.first, Self.longest)
        delay = full
        return full
    }
}
