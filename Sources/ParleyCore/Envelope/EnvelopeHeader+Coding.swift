extension EnvelopeHeader {
    /// The number of items without a generation; later versions may append more behind that, which
    /// are signed and skipped.
    private static let itemCount = 8

    /// Reads a header that fills `bytes`.
    package init(decoding bytes: Slice) throws(CodecError) {
        var reader = CBORReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    init(from reader: inout CBORReader) throws(CodecError) {
        let sequences = 1...Limits.sequenceEnd - 1
        let count = try reader.openArray(ofAtLeast: Self.itemCount)
        tag = try reader.fixed()
        let origin: OriginID = try reader.fixed()
        dot = Dot(origin: origin, sequence: try reader.unsigned(in: sequences))
        revision = try reader.unsigned(in: sequences)
        context = try Self.readContext(from: &reader, besides: origin)
        next = try reader.packed(count: 0...Limits.nextParticipants)
        isTombstone = try reader.bool()
        blobs = try reader.list(count: 0...Limits.blobsPerEnvelope)
        generation = count > Self.itemCount ? try reader.generation() : nil
        for _ in Self.itemCount + 1..<max(count, Self.itemCount + 1) { try reader.skip() }
        reader.closeArray()
    }

    /// The header as it is signed and stored.
    package func encoded() -> [UInt8] {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(64 + Dot.packedBytes * context.count + 16 * next.count)
        var writer = CBORWriter(buffer)
        buffer = []
        writer.array(count: Self.itemCount + (generation == nil ? 0 : 1))
        writer.fixed(tag)
        writer.fixed(dot.origin)
        writer.unsigned(dot.sequence)
        writer.unsigned(revision)
        writer.packed(context)
        writer.packed(next)
        writer.bool(isTombstone)
        writer.list(blobs)
        if let generation { writer.generation(generation) }
        return writer.finish()
    }

    /// Dots in strictly ascending order of their origins, none of them `origin`.
    private static func readContext(
        from reader: inout CBORReader,
        besides origin: OriginID
    ) throws(CodecError) -> [Dot] {
        let packed = try reader.packed(
            elementBytes: Dot.packedBytes,
            countMax: Limits.contextOrigins
        )
        guard !packed.isEmpty else { return [] }
        var context: [Dot] = []
        context.reserveCapacity(packed.count / Dot.packedBytes)
        for offset in stride(from: 0, to: packed.count, by: Dot.packedBytes) {
            let dot = try Dot(packed: packed, at: offset)
            if let last = context.last, last.origin >= dot.origin { throw .notAscending }
            guard dot.origin != origin else { throw .outOfRange }
            context.append(dot)
        }
        return context
    }
}

extension BlobReference: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 2)
        id = try reader.fixed()
        size = try reader.unsigned(in: 1...UInt64(Limits.blobBytes))
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.fixed(id)
        writer.unsigned(size)
    }
}
