extension HaveList: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        (conversation, entries) = try HaveEntry.readList(from: &reader)
        guard entries.allSatisfy(\.mayBeAnnounced) else { throw .outOfRange }
    }

    func write(to writer: inout CBORWriter) {
        HaveEntry.writeList(entries, of: conversation, to: &writer)
    }
}

extension WantList: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        (conversation, entries) = try HaveEntry.readList(from: &reader)
        guard entries.allSatisfy(\.isEnvelope) else { throw .outOfRange }
    }

    func write(to writer: inout CBORWriter) {
        HaveEntry.writeList(entries, of: conversation, to: &writer)
    }
}

extension HaveEntry {
    /// The length of a packed entry: `u64 position · 16 tag · 16 origin · u64 sequence · u64
    /// revision · u64 digest`.
    package static let packedBytes = 64

    fileprivate static func readList(
        from reader: inout CBORReader
    ) throws(CodecError) -> (conversation: UInt32, entries: [HaveEntry]) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        let conversation = try reader.unsigned32()
        try reader.require(3, in: &map)
        let packed = try reader.packed(elementBytes: packedBytes, countMax: Limits.haveEntries)
        guard !packed.isEmpty else { throw .wrongLength }
        try reader.closeMap(&map)
        var entries: [HaveEntry] = []
        entries.reserveCapacity(packed.count / packedBytes)
        for offset in stride(from: 0, to: packed.count, by: packedBytes) {
            entries.append(try HaveEntry(packed: packed, at: offset))
        }
        return (conversation, entries)
    }

    fileprivate static func writeList(
        _ entries: [HaveEntry],
        of conversation: UInt32,
        to writer: inout CBORWriter
    ) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        writer.key(3, in: &map)
        writer.byteStringHead(count: packedBytes * entries.count)
        for entry in entries {
            writer.raw(FeedPosition.written(entry.position, isAwaited: entry.isAwaited))
            writer.raw(entry.tag)
            writer.raw(entry.dot.origin)
            writer.raw(entry.dot.sequence)
            writer.raw(entry.revision)
            writer.raw(entry.digestPrefix)
        }
        writer.closeMap(map)
    }

    private init(packed: Slice, at offset: Int) throws(CodecError) {
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
}
