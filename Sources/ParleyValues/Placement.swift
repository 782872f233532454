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

    /// The position from the left edge of the bubble (0) to the right one (1).
    package var horizontal: Double { Double(x) / Double(Self.unit) }

    /// The position from the upper edge of the bubble (0) to the lower one (1).
    package var vertical: Double { Double(y) / Double(Self.unit) }

    /// The nearest placement to a position in parts of the bubble; nil if it lies outside.
    package init?(on message: MessageID, horizontal: Double, vertical: Double) {
        guard (0...1).contains(horizontal), (0...1).contains(vertical) else { return nil }
        let parts = [horizontal, vertical].map { Int(($0 * Double(Self.unit)).rounded()) }
        self.init(on: message, x: parts[0], y: parts[1])
    }
}

/// In JSON, the position is in parts of the bubble, from 0 to 1.
extension Placement: Codable {
    private enum Field: CodingKey {
        case message, x, y
    }

    /// Reads the JSON of `/v1`.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let placement = Placement(
            on: try fields.decode(MessageID.self, forKey: .message),
            horizontal: try fields.decode(Double.self, forKey: .x),
            vertical: try fields.decode(Double.self, forKey: .y)
        )
        guard let placement else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "x and y are from 0 to 1")
            )
        }
        self = placement
    }

    /// Writes the JSON of `/v1`.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(message, forKey: .message)
        try fields.encode(horizontal, forKey: .x)
        try fields.encode(vertical, forKey: .y)
    }
}

/// What a sticker or an addition is on.
package enum AdditionTarget: Hashable, Sendable {
    /// A message, as the target of a sticker.
    case message(MessageID)
    /// A session with all its messages, as the target of an addition.
    case session(SessionID)
}
