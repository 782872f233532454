/// How long a node waits before it announces an envelope that the peer most likely has from
/// another node.
///
/// Neighbours in the ring of the members announce to each other soon, so that each member hears of
/// an envelope from two others if the node that should push it is not there. All other links are
/// reserves. One side of each link is *first*: it announces earlier, so the other side usually
/// hears and need not announce.
package enum AnnouncementDelay: Sendable, CaseIterable {
    case neighbourFirst
    case neighbourSecond
    case reserveFirst
    case reserveSecond

    /// The delay on a link of this node: whether the peer is a neighbour, and whether this side is
    /// first.
    package init(isNeighbour: Bool, isFirst: Bool) {
        switch (isNeighbour, isFirst) {
        case (true, true): self = .neighbourFirst
        case (true, false): self = .neighbourSecond
        case (false, true): self = .reserveFirst
        case (false, false): self = .reserveSecond
        }
    }

    package var interval: Interval {
        switch self {
        case .neighbourFirst: .milliseconds(50)
        case .neighbourSecond: .milliseconds(150)
        case .reserveFirst: .milliseconds(700)
        case .reserveSecond: .milliseconds(1_000)
        }
    }
}
