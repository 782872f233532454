extension HaveList: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        entries = try map.packed(3, count: 1...Limits.haveEntries) { $0.entries }
        try map.check(entries.allSatisfy(\.mayBeAnnounced), else: .outOfRange)
    }
}

extension WantList: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        entries = try map.packed(3, count: 1...Limits.haveEntries) { $0.entries }
        try map.check(entries.allSatisfy(\.isEnvelope), else: .outOfRange)
    }
}

extension HaveEntry: PackedElement {
    /// The length of a packed entry: `u64 position · 16 tag · 16 origin · u64 sequence · u64
    /// revision · u64 digest`.
    package static let packedBytes = 64

    init(packed: Slice, at offset: Int) throws(CodecError) {
        (position, isAwaited) = try FeedPosition.read(packed.bigEndian(at: offset))
        tag = SessionTag(reading: packed, at: offset + 8)
        dot = Dot(
            origin: OriginID(reading: packed, at: offset + 24),
            sequence: packed.bigEndian(at: offset + 40)
        )
        revision = packed.bigEndian(at: offset + 48)
        digestPrefix = packed.bigEndian(at: offset + 56)
        guard dot.sequence < Limits.sequenceEnd, revision < Limits.sequenceEnd else {
            throw .outOfRange
        }
    }

    func appendPacked(to buffer: inout [UInt8]) {
        buffer.appendBigEndian(FeedPosition.written(position, isAwaited: isAwaited))
        tag.append(to: &buffer)
        dot.appendPacked(to: &buffer)
        buffer.appendBigEndian(revision)
        buffer.appendBigEndian(digestPrefix)
    }
}
