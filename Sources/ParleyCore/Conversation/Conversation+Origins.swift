/// The origins of writers in a conversation, and the proofs of their envelopes.
extension Conversation {
    /// The number of origins with remembered batches; the batches of others are checked anew.
    package static let batchOriginsMax = 64

    /// Makes this device write under the origin of another epoch.
    package mutating func renew(epoch: Epoch, using crypto: some Cryptography) {
        keys = ConversationKeys(record: record, device: device, epoch: epoch, using: crypto)
        adoptOwnOrigin(epoch: epoch, using: crypto)
    }

    mutating func adoptOwnOrigin(epoch: Epoch, using crypto: some Cryptography) {
        guard let certificate = record.certificate, origins[keys.ownOrigin] == nil else { return }
        let own = OriginRecord(
            deviceKey: crypto.devicePublicKey,
            epoch: epoch,
            certificate: certificate
        )
        origins[keys.ownOrigin] = originState(own, using: crypto)
    }

    func originState(
        _ origin: OriginRecord,
        using crypto: some Cryptography
    ) -> OriginState {
        let device = DeviceID(publicKey: origin.deviceKey, using: crypto)
        return OriginState(
            record: origin,
            device: device,
            participant: ParticipantID(conversation: record.id, device: device, using: crypto)
        )
    }

    /// Whether the origin belongs to this device, in the present or an earlier epoch.
    package func isOwn(_ origin: OriginID) -> Bool {
        origin == keys.ownOrigin || origins[origin]?.device == device
    }

    /// Whether the origin is known, has no stored envelope, and is not the present origin of this
    /// node.
    package func isUnused(_ id: OriginID) -> Bool {
        origins[id]?.isStored == false && id != keys.ownOrigin
    }

    /// Checks an origin that a peer sent: the write key must have certified the device.
    ///
    /// - Returns: the origin if no envelope of it is stored, so that the link's limit applies; else
    ///   nil.
    package func introduced(
        _ record: OriginRecord,
        using crypto: some Cryptography
    ) throws(Refusal) -> (id: OriginID, state: OriginState)? {
        let origin = originState(record, using: crypto)
        let id = OriginID(
            conversation: self.record.id,
            device: origin.device,
            epoch: record.epoch,
            using: crypto
        )
        if let known = origins[id] { return known.isStored ? nil : (id, known) }
        let signed = origin.device.certifiedBytes
        guard
            crypto.verify(
                record.certificate,
                of: signed.span.bytes,
                by: keys.publicWriteKey
            )
        else { throw .badCertificate }
        return (id, origin)
    }

    /// Adds a checked origin that a peer introduced.
    package mutating func add(_ origin: (id: OriginID, state: OriginState)) {
        origins[origin.id] = origin.state
    }

    /// Forgets an origin without a stored envelope.
    package mutating func forgetOrigin(_ id: OriginID) { origins[id] = nil }

    /// Checks that the device of the origin signed an envelope; known origins are certified.
    ///
    /// - Returns: whether a signature was checked; false if only the path to a checked root was.
    @discardableResult
    package mutating func prove(
        _ head: Head,
        by proof: EnvelopeProof,
        using crypto: some Cryptography
    ) throws(Refusal) -> Bool {
        switch proof {
        case .single(let signature):
            guard let key = origins[head.dot.origin]?.record.deviceKey else { throw .uncertified }
            guard crypto.verify(signature, of: head.digest.bytes.span.bytes, by: key) else {
                throw .badProof
            }
            return true
        case .batch(let signature, let index, let path):
            return try prove(head, by: signature, at: index, path: path, using: crypto)
        }
    }

    /// Does the same for an envelope of a batch.
    mutating func prove(
        _ head: Head,
        by signature: Signature,
        at index: Int,
        path: ProofPath,
        using crypto: some Cryptography
    ) throws(Refusal) -> Bool {
        let id = head.dot.origin
        guard let origin = origins.index(forKey: id) else { throw .uncertified }
        let isProven = origins.values[origin].checkedBatches.prove(
            head.digest,
            by: signature,
            at: index,
            path: path,
            using: crypto
        )
        if isProven { return false }
        let batch = CheckedBatch(
            head.digest,
            by: signature,
            at: index,
            path: path,
            using: crypto
        )
        let key = origins.values[origin].record.deviceKey
        let signed = BatchTree.signedBytes(root: batch.root)
        guard crypto.verify(signature, of: signed.span.bytes, by: key) else {
            throw .badProof
        }
        remember(batch, of: id, at: origin)
        return true
    }

    /// Remembers a checked batch; beyond the limit, the batches of the oldest origin are forgotten.
    private mutating func remember(
        _ batch: CheckedBatch,
        of id: OriginID,
        at origin: Dictionary<OriginID, OriginState>.Index
    ) {
        let isFirst = origins.values[origin].checkedBatches.isEmpty
        origins.values[origin].checkedBatches.add(batch)
        guard isFirst else { return }
        batchOrigins.append(id)
        guard batchOrigins.count > Self.batchOriginsMax else { return }
        origins[batchOrigins.removeFirst()]?.checkedBatches = CheckedBatches()
    }

    /// The key that seals an origin's bodies, derived once.
    mutating func bodyKey(of origin: OriginID, using crypto: some Cryptography) -> Bytes32? {
        if let key = origins[origin]?.bodyKey { return key }
        let key = keys.bodyKey(of: origin, using: crypto)
        origins[origin]?.bodyKey = key
        return key
    }
}
