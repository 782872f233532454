/// The positions of a peer's feed whose confirmation the peer awaits.
package struct AwaitedPositions: Sendable {
    /// The range of the awaited positions; empty while `last` is confirmed.
    private var first: UInt64 = 0
    private var last: UInt64 = 0

    /// How soon the peer needs the confirmation of a position.
    package enum Urgency: Sendable {
        /// This node may confirm the position at any time: the peer announced it without a request.
        case none
        /// Within a few milliseconds, with further positions: the peer pushed without a request.
        case gathered
        /// At once: the peer requested the confirmation.
        case prompt
    }

    /// Notes that a position arrived; everything up to `stored` is confirmed.
    mutating func add(_ position: UInt64, after stored: UInt64) {
        if last <= stored { first = position }
        last = max(last, position)
    }

    /// Whether an awaited position above `stored` is on disk; everything up to `onDisk` is.
    func areOnDisk(upTo onDisk: UInt64, after stored: UInt64) -> Bool {
        stored < last && onDisk >= first
    }

    /// Everything up to `stored` was confirmed.
    mutating func confirmed(_ stored: UInt64) { first = stored + 1 }
}
