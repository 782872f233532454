/// The generations of keys of a conversation: which envelopes count, and what follows from new
/// keys.
extension Conversation {
    /// The listing of this node's device among those who stay.
    func ownListing(using crypto: some Cryptography) -> Bytes16 {
        device.listing(in: record.id, using: crypto)
    }

    /// Whether an envelope counts: its author was a member of the envelope's generation and is one
    /// of the current generation, or a member of that vouches for the envelope.
    func accepts(_ arrival: Arrival, using crypto: some Cryptography) -> Bool {
        let header = arrival.header
        guard !generations.arePlain else { return header.generation == nil }
        guard let generation = generations.id(of: header.generation),
            isMember(header.dot.origin, of: generation, using: crypto)
        else { return false }
        return counts(arrival.head, using: crypto)
    }

    /// Whether a head of which the author was a member of its generation counts now.
    private func counts(_ head: Head, using crypto: some Cryptography) -> Bool {
        isMember(head.dot.origin, of: generations.current, using: crypto)
            || generations.vouches.covers(head.digest, of: head.dot.origin)
    }

    /// Whether the device behind an origin is a member of a generation.
    private func isMember(
        _ origin: OriginID,
        of generation: GenerationID,
        using crypto: some Cryptography
    ) -> Bool {
        guard let origin = origins[origin],
            let certifier = generations.id(of: origin.record.generation)
        else { return false }
        let listing = origin.device.listing(in: record.id, using: crypto)
        return generations.isMember(listing, certifiedBy: certifier, of: generation)
    }

    /// Whether a device that proved a role is a member of the current generation.
    func isMember(_ known: KnownDevice, using crypto: some Cryptography) -> Bool {
        guard let certifier = generations.id(of: known.generation) else { return false }
        let listing = known.device.listing(in: record.id, using: crypto)
        return generations.isMember(listing, certifiedBy: certifier, of: generations.current)
    }

    /// Derives the keys that follow from the generations and the epoch.
    mutating func deriveKeys(epoch: Epoch, using crypto: some Cryptography) {
        keys = ConversationKeys(
            record: record,
            generations: generations,
            device: device,
            epoch: epoch,
            using: crypto
        )
    }

    /// The heads that do not count any more, by origin ascending.
    func headsOut(using crypto: some Cryptography) -> [(origin: OriginID, heads: [Head])] {
        var areIn: [OriginID: Bool] = [:]
        var out: [OriginID: [Head]] = [:]
        for session in sessions {
            for head in session.register.heads {
                let origin = head.dot.origin
                let isIn =
                    areIn[origin] ?? isMember(origin, of: generations.current, using: crypto)
                areIn[origin] = isIn
                guard !isIn, !generations.vouches.covers(head.digest, of: origin) else { continue }
                out[origin, default: []].append(head)
            }
        }
        return out.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Vouches for heads, as a writer of the current generation.
    mutating func vouch(
        for out: [(origin: OriginID, heads: [Head])],
        using crypto: some Cryptography
    ) -> [Vouch] {
        guard standing == .member, let seed = record.capability.writerSeed else { return [] }
        var vouches: [Vouch] = []
        for (origin, heads) in out {
            let digests = heads.map(\.digest.prefix16)
            for start in stride(from: 0, to: digests.count, by: Limits.vouchedEnvelopes) {
                let end = min(start + Limits.vouchedEnvelopes, digests.count)
                let vouch = Vouch(
                    for: Array(digests[start..<end]),
                    of: origin,
                    in: record.id,
                    at: generations.current,
                    writeSeed: Capability.writeSeed(seed, using: crypto),
                    using: crypto
                )
                guard (try? generations.add(vouch, using: crypto)) != nil else { continue }
                vouches.append(vouch)
            }
        }
        if !vouches.isEmpty { _ = generations.settle(using: crypto) }
        return vouches
    }

    /// Removes the heads of a session that do not count any more; the next one is shown.
    ///
    /// - Returns: the blobs that the heads listed; nil if all heads count.
    mutating func removeHeadsOut(
        of session: Int32,
        until ticket: Ticket,
        cache: inout EnvelopeCache,
        using crypto: some Cryptography
    ) -> [BlobReference]? {
        let index = Int(session)
        let out = sessions[index].register.heads.filter { !counts($0, using: crypto) }
        guard !out.isEmpty else { return nil }
        let linesBefore = keysInTranscript(of: session)
        let shownBefore = sessions[index].register.shown
        let dots = Set(out.map(\.dot))
        sessions[index].register.remove { dots.contains($0.dot) }
        var unlisted: [BlobReference] = []
        for head in out { unlisted += removeHead(head, session, cache: &cache) }
        if let shown = sessions[index].register.shown, shown != shownBefore {
            let bytes = sessions[index].record(of: shown.dot)?.place?.bytes
            let envelope = bytes.flatMap { try? Envelope(decoding: $0) }
            if keys.canRead, let envelope {
                show(envelope.items, shown, index, using: crypto)
            } else {
                show(nil, index)
            }
        } else if sessions[index].register.shown == nil {
            show(nil, index)
        }
        reorder(session, from: linesBefore)
        number(session, feed.latest + 1, until: ticket)
        return unlisted
    }
}

extension ConversationRecord {
    /// The record with the keys of the current generation, if they are here.
    func follows(
        _ generations: Generations,
        using crypto: some Cryptography
    ) -> ConversationRecord {
        var record = self
        record.capability = generations.capability(using: crypto) ?? capability
        if let root = generations.rootGeneration, root != generations.first {
            record.generation = root.tag
        }
        return record
    }
}

extension Generations {
    /// The generations of a conversation in a data directory.
    init(recovered: RecoveredConversation, using crypto: some Cryptography) {
        let record = recovered.record
        self.init(
            conversation: record.id,
            root: record.capability,
            creator: record.creator,
            using: crypto
        )
        var entries: [(UInt32, MemberEntry)] = []
        for (name, bytes) in recovered.members {
            let kind: UInt64
            switch name {
            case .birth: kind = 1
            case .generation: kind = 2
            case .vouch: kind = 4
            case .secret(let id):
                if bytes.count == Bytes32.count { secrets[id] = Bytes32(reading: bytes, at: 0) }
                continue
            case .invite, .admission, .removal, .device: continue
            }
            guard let entry = try? MemberEntry(kind: kind, packed: bytes) else { continue }
            entries.append((entry.order, entry))
        }
        for (_, entry) in entries.sorted(by: { $0.0 < $1.0 }) {
            // A damaged record is left out, and members send it again.
            _ = try? add(entry, using: crypto)
        }
        _ = settle(using: crypto)
    }

    /// Takes a record of any kind but an admission.
    ///
    /// - Returns: the name of a new record.
    mutating func add(
        _ entry: MemberEntry,
        using crypto: some Cryptography
    ) throws(Refusal) -> MemberRecord? {
        switch entry {
        case .birth(let birth): add(birth, using: crypto) ? .birth : nil
        case .generation(let record, let boxes):
            try add(record, boxes, using: crypto).map { .generation($0) }
        case .vouch(let vouch): try add(vouch, using: crypto).map { .vouch($0) }
        case .admission: nil
        }
    }
}

extension MemberEntry {
    /// The order in which records are taken: birth, generations by number, vouches.
    fileprivate var order: UInt32 {
        switch self {
        case .birth: 0
        case .generation(let record, _): record.statement.number
        case .admission, .vouch: .max
        }
    }
}
