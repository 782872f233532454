/// Decides when a peer is sent the confirmation of its feed.
package struct Confirmations: Sendable {
    /// The highest position that was confirmed to the peer.
    package private(set) var stored: UInt64
    /// All positions whose confirmation the peer awaits, and the urgent part of them.
    private var awaited = AwaitedPositions()
    private var prompt = AwaitedPositions()
    /// When this node last sent a confirmation to the peer.
    private var last: Moment?
    /// How many positions arrived since the last confirmation without being awaited.
    private var unawaitedCount = 0

    /// So many announcements without a request bring a confirmation: the peer need not repeat them.
    package static let unawaitedMax = 256
    /// The longest time between two confirmations if the peer did not request the second.
    package static let gathering = Interval.milliseconds(16)
    /// After this time, the next step of the node sends such a confirmation along.
    package static let gatheringLeast = Interval.milliseconds(12)

    /// Nothing is to be confirmed up to a position.
    package init(after stored: UInt64) { self.stored = stored }

    /// Notes that a position arrived; `urgency` says how soon the peer needs the confirmation.
    package mutating func received(_ position: UInt64, urgency: AwaitedPositions.Urgency) {
        switch urgency {
        case .none: unawaitedCount += 1
        case .gathered: awaited.add(position, after: stored)
        case .prompt:
            awaited.add(position, after: stored)
            prompt.add(position, after: stored)
        }
    }

    /// Whether to confirm `onDisk` now.
    ///
    /// `ridesAlong` says whether the peer is sent other frames now, so that a confirmation without
    /// a request costs nothing.
    package func areDue(_ onDisk: UInt64, ridesAlong: Bool, at now: Moment) -> Bool {
        guard onDisk > stored else { return false }
        let isGathered = ridesAlong || last.map { $0 + Self.gatheringLeast <= now } ?? true
        return (isGathered ? awaited : prompt).areOnDisk(upTo: onDisk, after: stored)
            || unawaitedCount >= Self.unawaitedMax
    }

    /// The moment at which a waiting confirmation of `onDisk` must be sent; nil if none waits.
    package func deadline(_ onDisk: UInt64) -> Moment? {
        guard awaited.areOnDisk(upTo: onDisk, after: stored), onDisk > stored else { return nil }
        return last.map { $0 + Self.gathering }
    }

    /// Notes the confirmation of a position.
    package mutating func confirmed(_ position: UInt64, at now: Moment) {
        stored = position
        awaited.confirmed(stored)
        prompt.confirmed(stored)
        unawaitedCount = 0
        last = now
    }
}
