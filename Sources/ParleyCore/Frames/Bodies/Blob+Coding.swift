extension BlobWant: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        blob = try map.field(3) { $0.blob }
        chunks = try map.list(5, count: 1...Limits.chunksPerBlob) { $0.chunks }
        let isInRange = chunks.allSatisfy { $0 < Limits.chunksPerBlob }
        try map.check(isInRange, else: .outOfRange)
        let isAscending = zip(chunks, chunks.dropFirst()).allSatisfy(<)
        try map.check(isAscending, else: .notAscending)
    }
}

extension BlobChunk: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        blob = try map.field(3) { $0.blob }
        index = try map.field(5, in: 0...UInt64(Limits.chunksPerBlob - 1)) { $0.index }
        bytes = try map.bytes(7, lengthMax: Limits.blobChunkBytes) { $0.bytes }
    }
}
