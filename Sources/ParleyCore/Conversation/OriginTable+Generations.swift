/// The origins and envelopes that count after a change of keys.
extension OriginTable {
    /// Checks an origin that a peer sent: the write key must have certified the device, or the host
    /// of a guest.
    ///
    /// - Returns: the origin if no envelope of it is stored, so that the link's limit applies; else
    ///   nil.
    func introduced(
        _ record: OriginRecord,
        in keys: ConversationKeys,
        using crypto: some Cryptography
    ) throws(Refusal) -> (id: OriginID, state: OriginState)? {
        let origin = OriginState(record, in: keys.id, using: crypto)
        let id = OriginID(
            conversation: keys.id,
            device: origin.author.device,
            epoch: record.epoch,
            using: crypto
        )
        if let known = self[id] { return known.isStored ? nil : (id, known) }
        // Without the generation the envelopes do not count, and a peer that has it sends it first.
        guard
            let writeKey = keys.generations.id(of: record.generation)
                .flatMap(keys.generations.writeKey)
        else { return nil }
        let isCertified = record.isCertified(
            as: origin.author.device,
            in: keys.id,
            by: writeKey,
            using: crypto
        )
        guard isCertified else { throw .badCertificate }
        return (id, origin)
    }

    /// Whether an envelope counts: the author was a member of the envelope's generation, and either
    /// is a member of the current generation or has a vouch of a member.
    func accept(
        _ arrival: Arrival,
        in generations: Generations,
        using crypto: some Cryptography
    ) -> Bool {
        let header = arrival.header
        guard !generations.arePlain else { return header.generation == nil }
        guard let generation = generations.id(of: header.generation),
            isMember(header.dot.origin, of: generation, in: generations, using: crypto)
        else { return false }
        return counts(arrival.head, in: generations, using: crypto)
    }

    /// Whether a head, of which the author was a member of its generation, counts now.
    func counts(
        _ head: Head,
        in generations: Generations,
        using crypto: some Cryptography
    ) -> Bool {
        isMember(head.dot.origin, of: generations.current, in: generations, using: crypto)
            || generations.vouches.covers(head.digest, of: head.dot.origin)
    }

    /// Whether the device behind an origin is a member of a generation.
    private func isMember(
        _ id: OriginID,
        of generation: GenerationID,
        in generations: Generations,
        using crypto: some Cryptography
    ) -> Bool {
        guard let origin = self[id] else { return false }
        let tag = origin.record.generation
        return generations.isMember(
            origin.device,
            as: .writer,
            certifiedBy: tag,
            of: generation,
            using: crypto
        )
    }
}
