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
            case .invite, .admission, .removal, .device, .receipts, .receiptCounter, .cardNumber:
                continue
            }
            guard let entry = try? MemberEntry(kind: kind, packed: bytes) else { continue }
            entries.append((entry.order, entry))
        }
        for (_, entry) in entries.sorted(by: { $0.0 < $1.0 }) {
            // A damaged record is left out, and members send it again.
            _ = try? add(entry, using: crypto)
        }
        settle(using: crypto)
        // The secret of a damaged row is in the box for this device, until the keys change.
        unwritten = openBoxes(using: crypto)
    }

    /// Whether a record that was taken still has its place.
    func has(_ name: MemberRecord) -> Bool {
        switch name {
        case .generation(let id): generations[id] != nil
        case .vouch(let id): vouches[id] != nil
        default: true
        }
    }

    /// Takes a record of any kind but an admission.
    ///
    /// - Returns: the name of a new record.
    package mutating func add(
        _ entry: MemberEntry,
        using crypto: some Cryptography
    ) throws(Refusal) -> MemberRecord? {
        switch entry {
        case .birth(let birth): add(birth, using: crypto) ? .birth : nil
        case .generation(let record, let boxes):
            try add(record, boxes, using: crypto).map { .generation($0) }
        case .vouch(let vouch): try add(vouch, using: crypto).map { .vouch($0) }
        case .admission, .card: nil
        }
    }
}

extension MemberEntry {
    /// The order in which records are taken: birth, generations by number, vouches.
    fileprivate var order: UInt32 {
        switch self {
        case .birth: 0
        case .generation(let record, _): record.statement.number
        case .admission, .vouch, .card: .max
        }
    }
}
