/// The origins of a conversation that are known here, and the proofs of their envelopes.
package struct OriginTable: Sendable {
    private var states: [OriginID: OriginState] = [:]
    /// The seats of this node's guests, whose origins are in this table.
    package internal(set) var seats = SeatTable()
    /// The origins with checked batches, in the order of the first batch.
    private var proved: [OriginID] = []

    /// The number of origins with remembered batches; the batches of others are checked anew.
    package static let provedMax = 64

    package subscript(id: OriginID) -> OriginState? {
        _read { yield states[id] }
        _modify { yield &states[id] }
    }

    /// The origins, in no order.
    package var values: some Collection<OriginState> { states.values }

    /// The device on which the author of an origin writes; nil for an unknown origin.
    func device(of id: OriginID) -> DeviceID? { states[id]?.device }

    /// The number of an origin's device among the writers; `noWriter` without a stored envelope.
    func writer(of id: OriginID) -> Int32 { states[id]?.writer ?? OriginState.noWriter }

    /// The checked batch of an origin whose latest envelope has this proof.
    func checkedBatch(of id: OriginID, with proof: EnvelopeProof) -> CheckedBatch? {
        states[id]?.checkedBatches.latest(by: proof)
    }

    /// New envelopes of an origin came on a link; `batch` has proven them, if one did.
    ///
    /// - Returns: whether the envelopes before came on another link.
    mutating func came(_ id: OriginID, on link: LinkID, by batch: CheckedBatch? = nil) -> Bool {
        guard let index = states.index(forKey: id) else { return false }
        if let batch { states.values[index].checkedBatches.put(batch) }
        return states.values[index].came(on: link)
    }

    /// Checks that the device of the origin signed an envelope; known origins are certified.
    ///
    /// - Returns: whether a signature was checked; false if only the path to a checked root was.
    mutating func prove(
        _ head: Head,
        by proof: EnvelopeProof,
        using crypto: some Cryptography
    ) throws(Refusal) -> Bool {
        let id = head.dot.origin
        guard let origin = states.index(forKey: id) else { throw .uncertified }
        guard proof.isBatch else {
            let key = states.values[origin].record.deviceKey
            let signed = head.digest.bytes
            guard crypto.verify(proof.signature, of: signed.span.bytes, by: key) else {
                throw .badProof
            }
            return true
        }
        if states.values[origin].checkedBatches.prove(head.digest, by: proof, using: crypto) {
            return false
        }
        let batch = CheckedBatch(head.digest, by: proof, using: crypto)
        let key = states.values[origin].record.deviceKey
        let signed = BatchTree.signedBytes(root: batch.root)
        guard crypto.verify(proof.signature, of: signed.span.bytes, by: key) else {
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
        let isFirst = states.values[origin].checkedBatches.isEmpty
        states.values[origin].checkedBatches.add(batch)
        guard isFirst else { return }
        proved.append(id)
        guard proved.count > Self.provedMax else { return }
        states[proved.removeFirst()]?.checkedBatches = CheckedBatches()
    }
}
