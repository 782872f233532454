extension Generations {
    fileprivate var lineEntries: [MemberEntry] {
        guard !arePlain else { return [] }
        return birthEntries
            + line.compactMap { generations[$0] }.map { .generation($0.record, $0.boxes) }
    }

    fileprivate var birthEntries: [MemberEntry] {
        birth.map { $0.creator == nil ? [] : [.birth($0)] } ?? []
    }
}

extension Conversation {
    /// The birth and the records from there to the current generation.
    var lineEntries: [MemberEntry] { generations.lineEntries }

    /// All records but admissions, each behind those that it needs.
    var memberEntries: [MemberEntry] {
        generations.birthEntries
            + generations.records.map { .generation($0.generation.record, $0.generation.boxes) }
            + generations.vouches.all.map { .vouch($0.vouch) }
    }

    /// The number of the generation with a tag; 0 if it is unknown.
    func number(of tag: UInt64?) -> UInt32 {
        generations.id(of: tag).map(generations.number) ?? 0
    }

    /// The proof of this node's role on a link; nil without keys.
    func roleProof(exporter: Bytes32, using crypto: some Cryptography) -> RoleProof? {
        guard standing == .member else { return nil }
        switch role {
        case .relay:
            return RoleProof(role: .relay, generation: keys.generation, proof: .empty)
        case .reader:
            return keys.readerProof(of: device, exporter: exporter, using: crypto).map {
                RoleProof(role: .reader, generation: keys.generation, proof: Slice($0.bytes))
            }
        case .writer:
            return record.certificate.map {
                RoleProof(role: .writer, generation: record.generation, proof: Slice($0.bytes))
            }
        }
    }

    /// Whether a peer that shares the conversation has proved its role.
    ///
    /// Only a reader can check another reader, so that a relay takes one for a relay.
    func holds(
        _ proof: RoleProof,
        of peer: DeviceID,
        exporter: Bytes32,
        using crypto: some Cryptography
    ) -> Bool {
        switch proof.role {
        case .relay: return proof.generation == keys.generation
        case .reader:
            let expected = keys.readerProof(of: peer, exporter: exporter, using: crypto)
            return proof.generation == keys.generation
                && expected.map { Slice($0.bytes) == proof.proof } ?? false
        case .writer:
            guard let id = generations.id(of: proof.generation),
                let writeKey = generations.writeKey(of: id)
            else { return false }
            let signature = Signature(reading: proof.proof, at: 0)
            return crypto.verify(signature, of: peer.certifiedBytes.span.bytes, by: writeKey)
        }
    }
}

extension MemberEntry {
    /// The conversation that a record names.
    var conversation: ConversationID? {
        switch self {
        case .generation(let record, _): record.statement.conversation
        case .vouch(let vouch): vouch.conversation
        case .birth, .admission: nil
        }
    }

    var isBirth: Bool { if case .birth = self { true } else { false } }
}

extension ConversationKeys {
    /// What a reader proves the role with: HMAC under HKDF(K, "parley card") of exporter ‖ device
    /// ID; nil for a relay.
    func readerProof(
        of device: DeviceID,
        exporter: Bytes32,
        using crypto: some Cryptography
    ) -> Bytes32? {
        guard let readKey = currentReadKey else { return nil }
        let key = crypto.deriveKey(from: readKey, info: Array("parley card".utf8).span.bytes)
        return crypto.hmac((exporter.bytes + device.bytes).span.bytes, key: key)
    }
}
