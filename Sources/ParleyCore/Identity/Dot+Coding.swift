extension Dot: CBORItem, PackedElement {
    /// The length of a packed dot: `16 origin · u64 sequence`.
    package static let packedBytes = 24

    /// Reads `packedBytes` bytes of `slice` from `offset` on, which must be there.
    ///
    /// - Throws: `.outOfRange` unless the sequence lies in `1..<Limits.sequenceEnd`.
    package init(packed slice: Slice, at offset: Int) throws(CodecError) {
        let sequence: UInt64 = slice.bigEndian(at: offset + OriginID.count)
        guard sequence >= 1, sequence < Limits.sequenceEnd else { throw .outOfRange }
        self.init(origin: OriginID(reading: slice, at: offset), sequence: sequence)
    }

    /// Reads a byte string of 24 bytes.
    init(from reader: inout CBORReader) throws(CodecError) {
        let packed = try reader.packed(elementBytes: Self.packedBytes, countMax: 1)
        guard packed.count == Self.packedBytes else { throw .wrongLength }
        try self.init(packed: packed, at: 0)
    }

    /// Appends `packedBytes` bytes.
    package func appendPacked(to buffer: inout [UInt8]) {
        origin.append(to: &buffer)
        buffer.appendBigEndian(sequence)
    }

    func write(to writer: inout CBORWriter) {
        writer.byteStringHead(count: Self.packedBytes)
        writer.raw(origin)
        writer.raw(sequence)
    }
}
