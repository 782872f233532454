extension Stored: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        conversation = try reader.unsigned32()
        try reader.require(3, in: &map)
        position = try reader.unsigned()
        isFull = try reader.seek(5, in: &map) ? try reader.flag() : false
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        writer.key(3, in: &map)
        writer.unsigned(position)
        if isFull {
            writer.key(5, in: &map)
            writer.bool(true)
        }
        writer.closeMap(map)
    }
}

extension FeedRequest: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        conversation = try reader.unsigned32()
        try reader.require(3, in: &map)
        let incarnation = try reader.unsigned()
        try reader.require(5, in: &map)
        since = FeedCursor(incarnation: incarnation, position: try reader.unsigned())
        try reader.require(7, in: &map)
        ownIncarnation = try reader.unsigned()
        try reader.require(9, in: &map)
        ownPosition = try reader.unsigned()
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        writer.key(3, in: &map)
        writer.unsigned(since.incarnation)
        writer.key(5, in: &map)
        writer.unsigned(since.position)
        writer.key(7, in: &map)
        writer.unsigned(ownIncarnation)
        writer.key(9, in: &map)
        writer.unsigned(ownPosition)
        writer.closeMap(map)
    }
}

extension Audit: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        conversation = try reader.unsigned32()
        try reader.require(3, in: &map)
        ownPosition = try reader.unsigned()
        try reader.require(5, in: &map)
        peerPosition = try reader.unsigned()
        try reader.require(7, in: &map)
        let packed = try reader.packed(elementBytes: 8, countMax: Self.buckets)
        guard packed.count == 8 * Self.buckets else { throw .wrongLength }
        try reader.closeMap(&map)
        sums = (0..<Self.buckets).map { packed.bigEndian(at: 8 * $0) }
    }

    func write(to writer: inout CBORWriter) {
        precondition(sums.count == Self.buckets, "an audit has a sum for each bucket")
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        writer.key(3, in: &map)
        writer.unsigned(ownPosition)
        writer.key(5, in: &map)
        writer.unsigned(peerPosition)
        writer.key(7, in: &map)
        writer.byteStringHead(count: 8 * sums.count)
        for sum in sums { writer.raw(sum) }
        writer.closeMap(map)
    }
}
