/// The positions of a peer's feed whose confirmation the peer awaits.
package struct AwaitedPositions: Sendable {
    /// The peer awaits the confirmation of the positions from `first` to `last`.
    private var first: UInt64 = 0
    private var last: UInt64 = 0

    /// How soon the peer needs the confirmation of a position.
    package enum Urgency: Sendable {
        /// This node may confirm it at any time: the peer announced it and did not ask.
        case none
        /// Together with those of the next few milliseconds: the peer pushed it and did not ask.
        case gathered
        /// At once: the peer asked.
        case prompt
    }

    /// Notes that a position arrived; `stored` is the last one that was confirmed.
    mutating func add(_ position: UInt64, after stored: UInt64) {
        if last <= stored { first = position }
        last = max(last, position)
    }

    /// Whether the peer awaits more than `stored`, and some of it is on disk, which has everything
    /// up to `onDisk`.
    func areOnDisk(upTo onDisk: UInt64, after stored: UInt64) -> Bool {
        stored < last && onDisk >= first
    }

    /// Everything up to `stored` was confirmed.
    mutating func confirmed(_ stored: UInt64) { first = stored + 1 }
}
