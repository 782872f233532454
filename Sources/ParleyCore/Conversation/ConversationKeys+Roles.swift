/// The proofs of roles on a link.
extension ConversationKeys {
    /// The proof of this node's role; nil without keys.
    func roleProof(
        of device: DeviceID,
        exporter: Bytes32,
        using crypto: some Cryptography
    ) -> RoleProof? {
        guard generations.standing == .member else { return nil }
        switch record.capability.role {
        case .relay: return RoleProof(role: .relay, generation: generation, proof: .empty)
        case .reader:
            return readerProof(of: device, exporter: exporter, using: crypto).map {
                RoleProof(role: .reader, generation: generation, proof: Slice($0.bytes))
            }
        case .writer:
            return record.certificate.map {
                RoleProof(role: .writer, generation: record.generation, proof: Slice($0.bytes))
            }
        }
    }

    /// Whether a peer that shares the conversation has proved its role.
    ///
    /// Only a reader can check another reader.
    func hold(
        _ proof: RoleProof,
        of peer: DeviceID,
        exporter: Bytes32,
        using crypto: some Cryptography
    ) -> Bool {
        switch proof.role {
        case .relay: return proof.generation == generation
        case .reader:
            let expected = readerProof(of: peer, exporter: exporter, using: crypto)
            return proof.generation == generation
                && expected.map { Slice($0.bytes) == proof.proof } ?? false
        case .writer:
            guard let id = generations.id(of: proof.generation),
                let writeKey = generations.writeKey(of: id)
            else { return false }
            let signature = Signature(reading: proof.proof, at: 0)
            return crypto.verify(signature, of: peer.certifiedBytes.span.bytes, by: writeKey)
        }
    }

    /// What a reader proves the role with: HMAC under HKDF(K, "parley card") of exporter ‖ device
    /// ID; nil for a relay.
    private func readerProof(
        of device: DeviceID,
        exporter: Bytes32,
        using crypto: some Cryptography
    ) -> Bytes32? {
        guard let readKey = currentReadKey else { return nil }
        let key = crypto.deriveKey(from: readKey, info: Array("parley card".utf8).span.bytes)
        return crypto.hmac((exporter.bytes + device.bytes).span.bytes, key: key)
    }
}
