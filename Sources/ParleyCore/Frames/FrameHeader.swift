/// The four bytes in front of every frame: `u24 length · u8 type`, big-endian.
package struct FrameHeader: Sendable, Equatable {
    package static let count = 4
    /// The end of all lengths; `Limits.frameBytes` is the longest frame that may be sent.
    package static let lengthEnd = 1 << 24

    /// The length of the body in bytes.
    package let length: Int
    package let type: UInt8

    /// A header for a body whose `length` is below `lengthEnd`.
    package init(length: Int, type: UInt8) {
        precondition(length >= 0, "a frame has a length")
        precondition(length < Self.lengthEnd, "the length of a frame fits in 24 bits")
        self.length = length
        self.type = type
    }

    /// The four bytes as one number.
    init(word: UInt32) {
        length = Int(word >> 8)
        type = UInt8(truncatingIfNeeded: word)
    }

    /// The four bytes as one number.
    var word: UInt32 { UInt32(length) << 8 | UInt32(type) }

    /// Reads four bytes of `slice` from `offset` on, which must be there.
    package init(reading slice: Slice, at offset: Int) {
        self.init(word: slice.bigEndian(at: offset))
    }

    package func append(to buffer: inout [UInt8]) {
        buffer.appendBigEndian(word)
    }

    /// Sets the length in the header of a frame that reaches from `start` to the end of `buffer`.
    static func setLength(of buffer: inout [UInt8], from start: Int) {
        let length = buffer.count - start - count
        precondition(length < lengthEnd, "a frame is written that is too long")
        buffer[start] = UInt8(length >> 16)
        buffer[start + 1] = UInt8(length >> 8 & 0xff)
        buffer[start + 2] = UInt8(length & 0xff)
    }
}
