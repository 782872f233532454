extension Hello: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        let magic = try map.text(1, lengthMax: Limits.softwareBytes) { _ in Self.magic }
        try map.check(magic == Self.magic, else: .wrongMagic)
        let lowest = try map.field(3) { $0.wireVersions.lowerBound }
        let highest = try map.field(5) { $0.wireVersions.upperBound }
        try map.check(lowest <= highest, else: .outOfRange)
        wireVersions = lowest...highest
        software = try map.text(7, lengthMax: Limits.softwareBytes) { $0.software }
        deviceName = try map.text(9, lengthMax: Limits.deviceNameBytes) { $0.deviceName }
        processNonce = try map.field(11) { $0.processNonce }
        // No node sends longer frames than all take, so a higher limit of the peer is not kept.
        let frameBytes = UInt64(Limits.frameBytes)
        _ = try map.field(13, in: frameBytes...UInt64.max) { _ in frameBytes }
        features = try map.field(15) { $0.features }
    }
}
