/// A position of a feed as frames carry it: the highest bit requests its confirmation.
///
/// Positions are below 2^62. A position of 0 is none, and cannot be confirmed.
enum FeedPosition {
    private static let request: UInt64 = 1 << 63

    static func written(_ position: UInt64, isAwaited: Bool) -> UInt64 {
        isAwaited ? position | request : position
    }

    static func read(
        _ number: UInt64
    ) throws(CodecError) -> (position: UInt64, isAwaited: Bool) {
        guard number != request else { throw .outOfRange }
        return (number & ~request, number & request != 0)
    }
}
