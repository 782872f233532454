/// Who writes a message: the device of this node, or one of its guests.
struct Seat: Sendable {
    let origin: OriginID
    let device: DeviceID
    let participant: ParticipantID
    /// The guest's private key; nil for the device.
    let seed: Bytes32?
}

extension Cryptography {
    /// A signature by a guest's private key, or by the device if that is nil.
    func sign(_ bytes: RawSpan, as seed: Bytes32?) -> Signature {
        guard let seed else { return sign(bytes) }
        return sign(bytes, bySeed: seed)
    }
}
