/// The choice of the envelopes that count after a change of keys.
extension OriginTable {
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
