extension Slice {
    /// The number whose big-endian bytes start at `offset` and lie in the slice.
    package func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
        precondition(offset >= 0 && offset + Number.bitWidth / 8 <= count, "a slice was read short")
        return withBytes { $0.bigEndian(at: offset) }
    }
}

extension RawSpan {
    /// The number whose big-endian bytes start at `offset` and lie in the span.
    func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
        Number(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    func byte(at offset: Int) -> UInt8 {
        unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
    }
}

extension [UInt8] {
    /// Appends the big-endian bytes of `number`.
    package mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
