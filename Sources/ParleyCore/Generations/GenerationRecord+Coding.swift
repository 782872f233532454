extension GenerationRecord.Statement: CBORMap {
    /// SHA-256("parley generation 1" ‖ the encoded statement).
    package func id(using crypto: some Cryptography) -> GenerationID {
        GenerationID(crypto.sha256(Array("parley generation 1".utf8) + itemBytes))
    }

    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        try self.init(fields: &map, of: { $0 })
    }

    /// Codes the fields of a statement that is all of a map, or the first part of it.
    fileprivate init<Coder: MapCoder>(
        fields map: inout Coder,
        of statement: (Coder.Body) -> Self
    ) throws(Coder.Failure) {
        conversation = try map.field(1) { statement($0).conversation }
        parent = try map.field(3) { statement($0).parent }
        number = try map.field(5) { statement($0).number }
        publicWriteKey = try map.field(7) { statement($0).publicWriteKey }
        author = try map.field(9) { statement($0).author }
        path = try map.packed(11, count: 0...Limits.admissionSteps) { statement($0).path }
        stays = try map.packed(13, count: 0...Limits.stayingDevices) { statement($0).stays }
        let isAscending = zip(stays, stays.dropFirst()).allSatisfy(<)
        try map.check(isAscending, else: .notAscending)
        let earlierMax = Limits.earlierBytes + Limits.furtherKeys * EarlierKeys.furtherBytes
        earlier = try map.bytes(15, lengthMax: earlierMax) { statement($0).earlier }.compacted()
        check = try map.field(17) { statement($0).check }
        boxes = try map.field(19) { statement($0).boxes }
    }
}

extension GenerationRecord: CBORMap {
    /// The encoded record: the statement with both signatures in one map.
    package var encoded: [UInt8] { itemBytes }

    /// Reads an encoded record, whose signatures are yet to be checked.
    package init(decoding bytes: Slice) throws(CodecError) { try self.init(item: bytes) }

    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        statement = try Statement(fields: &map, of: \.statement)
        writeSignature = try map.field(21) { $0.writeSignature }
        deviceSignature = try map.field(23) { $0.deviceSignature }
    }
}

extension Admission: PackedElement {
    init(packed slice: Slice, at offset: Int) throws(CodecError) {
        guard let admission = Admission(packed: slice[offset..<offset + Self.packedBytes]) else {
            throw .outOfRange
        }
        self = admission
    }

    func appendPacked(to buffer: inout [UInt8]) { buffer += packed }
}
