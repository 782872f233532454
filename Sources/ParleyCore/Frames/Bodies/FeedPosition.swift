/// A position of a feed in a frame, whose highest bit requests the confirmation of the position.
///
/// Positions are below 2^62. The position 0 means none, and cannot be confirmed.
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
