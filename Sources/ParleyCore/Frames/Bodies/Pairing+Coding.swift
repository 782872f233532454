extension PairingFrame: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        guard let step = StepNumber(rawValue: try reader.unsigned()) else { throw .outOfRange }
        try reader.require(3, in: &map)
        let payload = try reader.byteString(lengthMax: Limits.pairingBytes)
        let hasInvite = try reader.seek(5, in: &map) ? try reader.flag() : false
        let isOwn = try reader.seek(7, in: &map) ? try reader.flag() : false
        try reader.closeMap(&map)
        guard step.lengths.contains(payload.count) else { throw .wrongLength }
        switch step {
        case .commit:
            let kind: PairingOffer.Kind = isOwn ? .own : hasInvite ? .invite : .nothing
            self = .commit(Bytes32(reading: payload, at: 0), kind)
        case .reveal: self = .reveal(Bytes32(reading: payload, at: 0))
        case .confirm: self = .confirm
        case .invite: self = .invite(payload)
        case .person: self = .person(payload)
        case .cancel: self = .cancel(PairingCancellation(rawValue: payload[0]) ?? .other)
        case .share: self = .share(payload)
        case .taken: self = .taken(ConversationID(Bytes32(reading: payload, at: 0)))
        }
        guard step == .commit ? !(hasInvite && isOwn) : !hasInvite && !isOwn else {
            throw .outOfRange
        }
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(step.rawValue)
        writer.key(3, in: &map)
        writer.byteString(payload)
        if case .commit(_, let kind) = self, kind != .nothing {
            writer.key(kind == .invite ? 5 : 7, in: &map)
            writer.bool(true)
        }
        writer.closeMap(map)
    }
}

extension PairingFrame.StepNumber {
    /// The permitted lengths of a step's payload, in bytes.
    package var lengths: ClosedRange<Int> {
        switch self {
        case .commit, .reveal, .taken: Bytes32.count...Bytes32.count
        case .confirm: 0...0
        case .invite, .share: 1...Limits.pairingBytes
        case .person: Limits.personSecretBytes
        case .cancel: 1...1
        }
    }
}
