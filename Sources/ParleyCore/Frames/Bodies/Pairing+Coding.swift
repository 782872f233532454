extension PairingFrame.StepNumber: CBORItem {}

extension PairingFrame: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        let step = try map.field(1) { $0.step }
        let payload = try map.bytes(3, lengthMax: Limits.pairingBytes) { $0.payload }
        let hasInvite = try map.flag(5) { $0.offers(.invite) }
        let isOwn = try map.flag(7) { $0.offers(.own) }
        try map.check(step.lengths.contains(payload.count), else: .wrongLength)
        let isLegal = step == .commit ? !(hasInvite && isOwn) : !hasInvite && !isOwn
        try map.check(isLegal, else: .outOfRange)
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
    }

    private func offers(_ kind: PairingOffer.Kind) -> Bool {
        if case .commit(_, kind) = self { true } else { false }
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
