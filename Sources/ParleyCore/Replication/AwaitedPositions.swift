/// The positions of a peer's feed whose confirmation the peer awaits.
package struct AwaitedPositions: Sendable {
    /// The peer awaits the confirmation of the positions from `first` to `last`.
    private var first: UInt64 = 0
    private var last: UInt64 = 0

    /// How soon the peer needs the confirmation of a position.
    package enum Urgency: Sendable {
        /// This node may confirm it at any time: the head most likely came from another node.
        case none
        /// Together with those of the next few milliseconds: nobody is known to wait for it.
        case gathered
        /// At once: the peer asked with a watermark or announced an envelope of its own, or its
        /// replay is not over.
        case prompt
    }

    /// Notes that a position arrived; `highest` is the highest one that did, `stored` the last one
    /// that was confirmed.
    mutating func add(_ position: UInt64, highest: UInt64, stored: UInt64) {
        if last <= stored { first = position > 0 ? position : highest }
        last = max(last, highest)
    }

    /// Whether the peer awaits more than `stored`, and some of it is on disk, which has everything
    /// up to `onDisk`.
    func areOnDisk(upTo onDisk: UInt64, after stored: UInt64) -> Bool {
        stored < last && onDisk >= first
    }

    /// Everything up to `stored` was confirmed.
    mutating func confirmed(_ stored: UInt64) { first = stored + 1 }
}
