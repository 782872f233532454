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

extension StickerPlacement {
    /// Reads a placement.
    ///
    /// - Throws: `.outOfRange` also for a position that is not on the bubble.
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        message = try Dot(from: &reader)
        try reader.require(3, in: &map)
        x = try reader.unsigned(in: 0...Self.unit)
        try reader.require(5, in: &map)
        y = try reader.unsigned(in: 0...Self.unit)
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        message.write(to: &writer)
        writer.key(3, in: &map)
        writer.unsigned(x)
        writer.key(5, in: &map)
        writer.unsigned(y)
        writer.closeMap(map)
    }
}
