/// The position of a sticker on another message, the same on every node.
public struct Placement: Hashable, Sendable {
    /// The message that the sticker is on.
    public let message: MessageID
    /// The middle of the sticker, from the left edge of the message's bubble: 0 to 10,000, which is
    /// the right edge.
    public let x: Int
    /// The same from the upper edge to the lower one.
    public let y: Int

    /// The whole width or height of a bubble.
    public static let unit = 10_000

    /// Makes a placement.
    ///
    /// - Returns: nil for a position that is not on the bubble.
    public init?(on message: MessageID, x: Int, y: Int) {
        guard (0...Self.unit).contains(x), (0...Self.unit).contains(y) else { return nil }
        self.message = message
        self.x = x
        self.y = y
    }
}
