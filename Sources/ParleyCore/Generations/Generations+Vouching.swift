extension Generations {
    /// Vouches for envelopes as a writer with the keys of the current generation.
    ///
    /// - Returns: the vouches, which are among those here.
    mutating func vouch(
        for out: [(origin: OriginID, digests: [Bytes16])],
        using crypto: some Cryptography
    ) -> [Vouch] {
        guard standing == .member, let seed = capability(using: crypto)?.writerSeed else {
            return []
        }
        var made: [Vouch] = []
        for (origin, digests) in out {
            for start in stride(from: 0, to: digests.count, by: Limits.vouchedEnvelopes) {
                let end = min(start + Limits.vouchedEnvelopes, digests.count)
                let vouch = Vouch(
                    for: Array(digests[start..<end]),
                    of: origin,
                    in: conversation,
                    at: current,
                    writeSeed: Capability.writeSeed(seed, using: crypto),
                    using: crypto
                )
                guard (try? add(vouch, using: crypto)) != nil else { continue }
                made.append(vouch)
            }
        }
        if !made.isEmpty { settle(using: crypto) }
        return made
    }

    /// The birth and the records from there to the current generation.
    var lineEntries: [MemberEntry] {
        guard !arePlain else { return [] }
        return birthEntries
            + line.compactMap { generations[$0] }.map { .generation($0.record, $0.boxes) }
    }

    /// All records, each behind those that it needs.
    var memberEntries: [MemberEntry] {
        birthEntries
            + records.map { .generation($0.generation.record, $0.generation.boxes) }
            + vouches.all.map { .vouch($0.vouch) }
    }

    private var birthEntries: [MemberEntry] {
        birth.map { $0.creator == nil ? [] : [.birth($0)] } ?? []
    }
}
