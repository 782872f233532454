extension BlobWant: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        conversation = try reader.unsigned32()
        try reader.require(3, in: &map)
        blob = try reader.fixed()
        try reader.require(5, in: &map)
        var chunks: [UInt64] = []
        for _ in 0..<(try reader.openList(countMax: Limits.chunksPerBlob)) {
            let index = try reader.chunkIndex()
            if let last = chunks.last, last >= index { throw .notAscending }
            chunks.append(index)
        }
        reader.closeArray()
        self.chunks = chunks
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        writer.key(3, in: &map)
        writer.fixed(blob)
        writer.key(5, in: &map)
        writer.array(count: chunks.count)
        for index in chunks { writer.unsigned(index) }
        writer.closeMap(map)
    }
}

extension BlobChunk: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        conversation = try reader.unsigned32()
        try reader.require(3, in: &map)
        blob = try reader.fixed()
        try reader.require(5, in: &map)
        index = try reader.chunkIndex()
        try reader.require(7, in: &map)
        bytes = try reader.byteString(lengthMax: Limits.blobChunkBytes)
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        writer.key(3, in: &map)
        writer.fixed(blob)
        writer.key(5, in: &map)
        writer.unsigned(index)
        writer.key(7, in: &map)
        writer.byteString(bytes)
        writer.closeMap(map)
    }
}

extension CBORReader {
    fileprivate mutating func chunkIndex() throws(CodecError) -> UInt64 {
        try unsigned(in: 0...UInt64(Limits.chunksPerBlob - 1))
    }
}
