extension Dot {
    /// The length of a packed dot: `16 origin · u64 sequence`.
    package static let packedBytes = 24

    /// Reads `packedBytes` bytes of `slice` from `offset` on, which must be there.
    ///
    /// - Throws: `.outOfRange` unless the sequence lies in `1..<Limits.sequenceEnd`.
    init(packed slice: Slice, at offset: Int) throws(CodecError) {
        let sequence: UInt64 = slice.bigEndian(at: offset + OriginID.count)
        guard sequence >= 1, sequence < Limits.sequenceEnd else { throw .outOfRange }
        self.init(origin: OriginID(reading: slice, at: offset), sequence: sequence)
    }

    func appendPacked(to buffer: inout [UInt8]) {
        origin.append(to: &buffer)
        buffer.appendBigEndian(sequence)
    }
}
