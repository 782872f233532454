extension KnockFrame: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        guard let step = StepNumber(rawValue: try reader.unsigned()) else { throw .outOfRange }
        try reader.require(3, in: &map)
        let invite = try reader.unsigned32()
        try reader.require(5, in: &map)
        let payload = try reader.byteString(lengthMax: Limits.pairingBytes)
        try reader.closeMap(&map)
        guard step.lengths.contains(payload.count) else { throw .wrongLength }
        switch step {
        case .knock: self = .knock(invite: invite, proof: Bytes32(reading: payload, at: 0))
        case .letIn: self = .letIn(invite: invite, payload)
        case .refused:
            self = .refused(invite: invite, KnockRefusal(rawValue: payload[0]) ?? .unknown)
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .knock(let invite, let proof): writer.knock(.knock, invite, Slice(proof.bytes))
        case .letIn(let invite, let text): writer.knock(.letIn, invite, text)
        case .refused(let invite, let reason):
            writer.knock(.refused, invite, Slice([reason.rawValue]))
        }
    }
}

extension CBORWriter {
    fileprivate mutating func knock(
        _ step: KnockFrame.StepNumber,
        _ invite: UInt32,
        _ payload: Slice
    ) {
        var map = openMap()
        key(1, in: &map)
        unsigned(step.rawValue)
        key(3, in: &map)
        unsigned(UInt64(invite))
        key(5, in: &map)
        byteString(payload)
        closeMap(map)
    }
}
