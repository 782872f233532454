/// The position of a sticker on another message.
package struct StickerPlacement: Sendable, Equatable {
    /// The message under the sticker.
    package var message: Dot
    /// The distance of the sticker's middle from the left edge of the bubble; `unit` is the full
    /// width.
    package var x: UInt64
    /// The distance of the sticker's middle from the upper edge; `unit` is the full height.
    package var y: UInt64

    /// The full width or height of a bubble.
    package static let unit: UInt64 = 10_000

    package init(on message: Dot, x: UInt64, y: UInt64) {
        self.message = message
        self.x = x
        self.y = y
    }
}

extension StickerPlacement: CBORMap {
    /// Reads or writes a placement, whose position is on the bubble.
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        message = try map.field(1) { $0.message }
        x = try map.field(3, in: 0...Self.unit) { $0.x }
        y = try map.field(5, in: 0...Self.unit) { $0.y }
    }
}
