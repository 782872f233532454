/// The origins of writers in a conversation.
extension Conversation {
    /// Makes this device write under the origin of another epoch.
    package mutating func renew(epoch: Epoch, using crypto: some Cryptography) {
        keys = ConversationKeys(
            record: record.follows(generations, using: crypto),
            generations: generations,
            device: device,
            epoch: epoch,
            using: crypto
        )
        adoptOwnOrigin(epoch: epoch, using: crypto)
        origins.renewSeats(in: record, epoch: epoch, using: crypto)
    }

    mutating func adoptOwnOrigin(epoch: Epoch, using crypto: some Cryptography) {
        guard let certificate = record.certificate,
            origins[keys.ownOrigin]?.isStored != true
        else { return }
        let own = OriginRecord(
            deviceKey: crypto.devicePublicKey,
            epoch: epoch,
            certificate: certificate,
            generation: record.generation
        )
        origins[keys.ownOrigin] = OriginState(own, in: record.id, using: crypto)
    }

    /// Whether the origin belongs to this device or a guest, in the present or an earlier epoch.
    package func isOwn(_ origin: OriginID) -> Bool {
        origin == keys.ownOrigin || origins.device(of: origin) == device
    }

    /// Whether this device or a guest of it writes under the origin now.
    func isPresent(_ origin: OriginID) -> Bool {
        origin == keys.ownOrigin || origins.seats.has(origin)
    }

    /// Whether the origin is known and has no stored envelope.
    package func isUnused(_ id: OriginID) -> Bool { origins[id]?.isStored == false }

    /// Checks an origin that a peer sent: see `OriginTable.introduced`.
    package func introduced(
        _ record: OriginRecord,
        using crypto: some Cryptography
    ) throws(Refusal) -> (id: OriginID, state: OriginState)? {
        try origins.introduced(record, in: keys, using: crypto)
    }

    /// Adds a checked origin that a peer introduced.
    package mutating func add(_ origin: (id: OriginID, state: OriginState)) {
        origins[origin.id] = origin.state
        origins[origin.id]?.isIntroduced = true
    }

    /// Forgets an origin without a stored envelope that no link introduced, unless this device or
    /// a guest of it writes under the origin now.
    package mutating func forgetOrigin(_ id: OriginID) {
        if isPresent(id) { origins[id]?.isIntroduced = false } else { origins[id] = nil }
    }

    /// Checks the proof of an envelope, unless the envelope is a head already.
    ///
    /// - Returns: whether a signature was checked.
    @inline(__always)
    mutating func verify(
        _ head: Head,
        by proof: EnvelopeProof,
        in session: Int32?,
        using crypto: some Cryptography
    ) throws(Refusal) -> Bool {
        sessions.knows(head, in: session)
            ? false : try origins.prove(head, by: proof, using: crypto)
    }

    /// Checks that the device of its origin signed an envelope: see `OriginTable.prove`.
    @discardableResult
    package mutating func prove(
        _ head: Head,
        by proof: EnvelopeProof,
        using crypto: some Cryptography
    ) throws(Refusal) -> Bool {
        try origins.prove(head, by: proof, using: crypto)
    }

    /// The key that seals an origin's bodies in a generation, derived once for those in a row.
    mutating func bodyKey(
        of origin: OriginID,
        in generation: UInt64?,
        using crypto: some Cryptography
    ) -> Bytes32? {
        if let known = origins[origin]?.bodyKey, known.generation == generation { return known.key }
        guard let key = keys.bodyKey(of: origin, in: generation, using: crypto) else { return nil }
        origins[origin]?.bodyKey = (generation, key)
        return key
    }
}
