extension Goodbye: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        reason = GoodbyeReason(rawValue: try map.field(1) { $0.reason.rawValue }) ?? .other
        text = try map.text(2, lengthMax: Limits.goodbyeBytes) { $0.text }
    }
}

extension Credit: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        envelopeBytes = try map.field(1) { $0.envelopeBytes }
        blobBytes = try map.field(3) { $0.blobBytes }
        names = try map.field(5) { $0.names }
    }
}
