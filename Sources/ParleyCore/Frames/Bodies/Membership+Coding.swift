extension ConversationTags: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        tags = try map.packed(1, count: 1...Limits.conversationTags) { $0.tags }
        let isGroups = tags.count.isMultiple(of: Limits.conversationGroup)
        try map.check(isGroups, else: .wrongLength)
    }
}

extension PeerAddresses: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        peers = try map.list(3, count: 1...Limits.peerAddresses) { $0.peers }
    }
}

extension OriginFrame: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        let deviceKey = try map.field(3) { $0.record.deviceKey }
        let epoch = Epoch(try map.field(5) { $0.record.epoch.value })
        let certificate = try map.field(7) { $0.record.certificate }
        let generation = try map.optional(9) {
            $0.record.generation
        } read: {
            reader throws(CodecError) in
            try reader.generation()
        } write: {
            $1.generation($0)
        }
        record = OriginRecord(
            deviceKey: deviceKey,
            epoch: epoch,
            certificate: certificate,
            host: try map.optional(11) { $0.record.host },
            generation: generation
        )
    }
}

extension PeerAddress: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 2)
        device = try reader.fixed()
        address = try reader.text(lengthMax: Limits.addressBytes)
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 2)
        writer.fixed(device)
        writer.text(address)
    }
}

extension OriginHost: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 3)
        deviceKey = try reader.fixed()
        certificate = try reader.signature()
        guard let seat = SeatNumber(try reader.unsigned()) else { throw .outOfRange }
        self.seat = seat
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.fixed(deviceKey)
        writer.signature(certificate)
        writer.unsigned(UInt64(seat.value))
    }
}
