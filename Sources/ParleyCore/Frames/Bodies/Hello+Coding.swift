extension Hello: FrameBody {
    /// The longest frame that a node takes from members, in bytes; a peer may take longer ones.
    private static let frameBytes = UInt64(Limits.frameBytes)

    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        guard try reader.text(lengthMax: Limits.softwareBytes) == Self.magic else {
            throw .wrongMagic
        }
        try reader.require(3, in: &map)
        let lowest = try reader.unsigned()
        try reader.require(5, in: &map)
        let highest = try reader.unsigned()
        guard lowest <= highest else { throw .outOfRange }
        wireVersions = lowest...highest
        try reader.require(7, in: &map)
        software = try reader.text(lengthMax: Limits.softwareBytes)
        try reader.require(9, in: &map)
        deviceName = try reader.text(lengthMax: Limits.deviceNameBytes)
        try reader.require(11, in: &map)
        processNonce = try reader.unsigned()
        try reader.require(13, in: &map)
        // No node sends longer frames than all take, so a higher limit of the peer is not kept.
        _ = try reader.unsigned(in: Self.frameBytes...UInt64.max)
        try reader.require(15, in: &map)
        features = try reader.unsigned()
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.text(Self.magic)
        writer.key(3, in: &map)
        writer.unsigned(wireVersions.lowerBound)
        writer.key(5, in: &map)
        writer.unsigned(wireVersions.upperBound)
        writer.key(7, in: &map)
        writer.text(software)
        writer.key(9, in: &map)
        writer.text(deviceName)
        writer.key(11, in: &map)
        writer.unsigned(processNonce)
        writer.key(13, in: &map)
        writer.unsigned(Self.frameBytes)
        writer.key(15, in: &map)
        writer.unsigned(features)
        writer.closeMap(map)
    }
}
