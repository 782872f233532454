extension GenerationRecord.Statement {
    /// SHA-256("parley generation 1" ‖ the encoded statement).
    package func id(using crypto: some Cryptography) -> GenerationID {
        var writer = CBORWriter(Array("parley generation 1".utf8))
        var map = writer.openMap()
        write(to: &writer, in: &map)
        writer.closeMap(map)
        return GenerationID(crypto.sha256(writer.finish()))
    }

    fileprivate func write(to writer: inout CBORWriter, in map: inout CBORWriter.Map) {
        writer.key(1, in: &map)
        writer.fixed(conversation)
        writer.key(3, in: &map)
        writer.fixed(parent)
        writer.key(5, in: &map)
        writer.unsigned(UInt64(number))
        writer.key(7, in: &map)
        writer.fixed(publicWriteKey)
        writer.key(9, in: &map)
        writer.fixed(author)
        writer.key(11, in: &map)
        writer.byteString(path.flatMap(\.packed))
        writer.key(13, in: &map)
        writer.byteString(stays.flatMap(\.bytes))
        writer.key(15, in: &map)
        writer.byteString(earlier)
        writer.key(17, in: &map)
        writer.fixed(check)
        writer.key(19, in: &map)
        writer.fixed(boxes)
    }

    /// Reads the keys of a statement.
    fileprivate init(
        from reader: inout CBORReader,
        in map: inout CBORReader.Map
    ) throws(CodecError) {
        try reader.require(1, in: &map)
        conversation = try reader.fixed()
        try reader.require(3, in: &map)
        parent = try reader.fixed()
        try reader.require(5, in: &map)
        number = try reader.unsigned32()
        try reader.require(7, in: &map)
        publicWriteKey = try reader.fixed()
        try reader.require(9, in: &map)
        author = try reader.fixed()
        try reader.require(11, in: &map)
        let admissions = try reader.packed(
            elementBytes: Admission.packedBytes,
            countMax: Limits.admissionSteps
        )
        var path: [Admission] = []
        for start in stride(from: 0, to: admissions.count, by: Admission.packedBytes) {
            let packed = admissions[start..<start + Admission.packedBytes]
            guard let admission = Admission(packed: packed) else { throw .outOfRange }
            path.append(admission)
        }
        self.path = path
        try reader.require(13, in: &map)
        let listings = try reader.packed(
            elementBytes: Bytes16.count,
            countMax: Limits.stayingDevices
        )
        stays = stride(from: 0, to: listings.count, by: Bytes16.count)
            .map { Bytes16(reading: listings, at: $0) }
        for (left, right) in zip(stays, stays.dropFirst()) where left >= right {
            throw .notAscending
        }
        try reader.require(15, in: &map)
        let earlierMax = Limits.earlierBytes + Limits.furtherKeys * EarlierKeys.furtherBytes
        earlier = try reader.byteString(lengthMax: earlierMax).compacted()
        try reader.require(17, in: &map)
        check = try reader.fixed()
        try reader.require(19, in: &map)
        boxes = try reader.fixed()
    }
}

extension GenerationRecord {
    /// The encoded record: the statement with both signatures in one map.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        var map = writer.openMap()
        statement.write(to: &writer, in: &map)
        writer.key(21, in: &map)
        writer.signature(writeSignature)
        writer.key(23, in: &map)
        writer.signature(deviceSignature)
        writer.closeMap(map)
        return writer.finish()
    }

    /// Reads an encoded record, whose signatures are yet to be checked.
    package init(decoding bytes: Slice) throws(CodecError) {
        var reader = CBORReader(bytes)
        var map = try reader.openMap()
        statement = try Statement(from: &reader, in: &map)
        try reader.require(21, in: &map)
        writeSignature = try reader.signature()
        try reader.require(23, in: &map)
        deviceSignature = try reader.signature()
        try reader.closeMap(&map)
        try reader.finish()
    }
}
