extension ConversationTags: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        let packed = try reader.packed(
            elementBytes: Bytes16.count * Limits.conversationGroup,
            countMax: Limits.conversationTags / Limits.conversationGroup
        )
        guard !packed.isEmpty else { throw .wrongLength }
        try reader.closeMap(&map)
        tags = stride(from: 0, to: packed.count, by: Bytes16.count).map {
            Bytes16(reading: packed, at: $0)
        }
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.byteStringHead(count: tags.count * Bytes16.count)
        for tag in tags { writer.raw(tag) }
        writer.closeMap(map)
    }
}

extension PeerAddresses: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        conversation = try reader.unsigned32()
        try reader.require(3, in: &map)
        var peers: [PeerAddress] = []
        for _ in 0..<(try reader.openList(countMax: Limits.peerAddresses)) {
            try reader.openArray(of: 2)
            let device: DeviceID = try reader.fixed()
            let address = try reader.text(lengthMax: Limits.addressBytes)
            peers.append(PeerAddress(device: device, address: address))
            reader.closeArray()
        }
        reader.closeArray()
        self.peers = peers
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        writer.key(3, in: &map)
        writer.array(count: peers.count)
        for peer in peers {
            writer.array(count: 2)
            writer.fixed(peer.device)
            writer.text(peer.address)
        }
        writer.closeMap(map)
    }
}

extension OriginFrame: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        conversation = try reader.unsigned32()
        try reader.require(3, in: &map)
        let deviceKey: Bytes32 = try reader.fixed()
        try reader.require(5, in: &map)
        let epoch = Epoch(try reader.unsigned())
        try reader.require(7, in: &map)
        let certificate = try reader.signature()
        let generation = try reader.seek(9, in: &map) ? try reader.generation() : nil
        let host = try reader.host(in: &map)
        try reader.closeMap(&map)
        record = OriginRecord(
            deviceKey: deviceKey,
            epoch: epoch,
            certificate: certificate,
            host: host,
            generation: generation
        )
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        writer.key(3, in: &map)
        writer.fixed(record.deviceKey)
        writer.key(5, in: &map)
        writer.unsigned(record.epoch.value)
        writer.key(7, in: &map)
        writer.signature(record.certificate)
        if let generation = record.generation {
            writer.key(9, in: &map)
            writer.generation(generation)
        }
        if let host = record.host {
            writer.key(11, in: &map)
            writer.array(count: 3)
            writer.fixed(host.deviceKey)
            writer.signature(host.certificate)
            writer.unsigned(UInt64(host.seat.value))
        }
        writer.closeMap(map)
    }
}

extension CBORReader {
    /// The host of a guest, if the frame has one.
    fileprivate mutating func host(in map: inout Map) throws(CodecError) -> OriginHost? {
        guard try seek(11, in: &map) else { return nil }
        try openArray(of: 3)
        let deviceKey: Bytes32 = try fixed()
        let certificate = try signature()
        guard let seat = SeatNumber(try unsigned()) else { throw .outOfRange }
        closeArray()
        return OriginHost(deviceKey: deviceKey, certificate: certificate, seat: seat)
    }
}
