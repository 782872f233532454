/// How long a node waits before it announces an envelope that the peer most likely has from
/// another node.
///
/// Neighbours in the ring of the members announce soon. So a member hears of an envelope from two
/// others even if the link to the author is cut. All other links are reserves. One side of each
/// link is *first*: it announces earlier, so the other side usually has nothing left to announce.
package enum AnnouncementDelay: Sendable, CaseIterable {
    case neighbourFirst
    case neighbourSecond
    case reserveFirst
    case reserveSecond

    /// The delay on a link to a neighbour or a reserve, on the side that is first or on the other.
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
