extension PairingFrame: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        guard let step = StepNumber(rawValue: try reader.unsigned()) else { throw .outOfRange }
        try reader.require(3, in: &map)
        let payload = try reader.byteString(lengthMax: Limits.pairingBytes)
        let offers = try reader.seek(5, in: &map) ? try reader.flag() : false
        try reader.closeMap(&map)
        guard step.lengths.contains(payload.count) else { throw .wrongLength }
        switch step {
        case .commit: self = .commit(Bytes32(reading: payload, at: 0), offers: offers)
        case .reveal: self = .reveal(Bytes32(reading: payload, at: 0))
        case .confirm: self = .confirm
        case .invite: self = .invite(payload)
        case .cancel: self = .cancel(PairingCancellation(rawValue: payload[0]) ?? .other)
        }
        guard !offers || step == .commit else { throw .outOfRange }
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(step.rawValue)
        writer.key(3, in: &map)
        writer.byteString(payload)
        if case .commit(_, offers: true) = self {
            writer.key(5, in: &map)
            writer.bool(true)
        }
        writer.closeMap(map)
    }
}

extension PairingFrame.StepNumber {
    /// The permitted lengths of a step's payload, in bytes.
    package var lengths: ClosedRange<Int> {
        switch self {
        case .commit, .reveal: Bytes32.count...Bytes32.count
        case .confirm: 0...0
        case .invite: 1...Limits.pairingBytes
        case .cancel: 1...1
        }
    }
}
