extension KnockFrame.StepNumber: CBORItem {}

extension KnockFrame: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        let step = try map.field(1) { $0.step }
        let invite = try map.field(3) { $0.invite }
        let payload = try map.bytes(5, lengthMax: Limits.pairingBytes) { $0.payload }
        try map.check(step.lengths.contains(payload.count), else: .wrongLength)
        switch step {
        case .knock: self = .knock(invite: invite, proof: Bytes32(reading: payload, at: 0))
        case .letIn: self = .letIn(invite: invite, payload)
        case .refused:
            self = .refused(invite: invite, KnockRefusal(rawValue: payload[0]) ?? .unknown)
        }
    }

    private var step: StepNumber {
        switch self {
        case .knock: .knock
        case .letIn: .letIn
        case .refused: .refused
        }
    }

    /// The bytes under key 5.
    private var payload: Slice {
        switch self {
        case .knock(_, let proof): Slice(proof.bytes)
        case .letIn(_, let text): text
        case .refused(_, let reason): Slice([reason.rawValue])
        }
    }
}
