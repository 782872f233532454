/// The K of earlier generations in a generation record: that of its parent, and of generations that
/// the parent's does not open, so that whoever joins later reads what is kept.
///
/// These are generations beside the line, and those behind a record whose author has sealed a wrong
/// key.
struct EarlierKeys {
    let ofParent: Bytes32
    /// By the tags of the generations, which are 0 for the birth generation.
    let further: [(tag: UInt64, key: Bytes32)]

    /// u64 tag ‖ K.
    static let furtherBytes = 8 + Bytes32.count

    init(ofParent: Bytes32, further: [(tag: UInt64, key: Bytes32)]) {
        self.ofParent = ofParent
        self.further = further
    }

    /// Opens what a record has, with K of its generation.
    init?(_ sealed: Slice, under readKey: Bytes32, using crypto: some Cryptography) {
        let opened = sealed.withBytes { bytes in
            let key = Self.sealKey(readKey, using: crypto)
            return crypto.open(bytes, key: key, authenticating: RawSpan())
        }
        guard let opened, opened.count >= Bytes32.count,
            (opened.count - Bytes32.count).isMultiple(of: Self.furtherBytes)
        else { return nil }
        let bytes = Slice(opened)
        ofParent = Bytes32(reading: bytes, at: 0)
        further = stride(from: Bytes32.count, to: bytes.count, by: Self.furtherBytes)
            .map { (bytes.bigEndian(at: $0), Bytes32(reading: bytes, at: $0 + 8)) }
    }

    func sealed(under readKey: Bytes32, using crypto: some Cryptography) -> Slice {
        var bytes = ofParent.bytes
        for (tag, key) in further {
            bytes.appendBigEndian(tag)
            bytes += key.bytes
        }
        // The key is used once, so the nonce may be a constant.
        return Slice(
            crypto.seal(
                bytes.span.bytes,
                key: Self.sealKey(readKey, using: crypto),
                nonce: SealNonce(high: 0, low: 0),
                authenticating: RawSpan()
            )
        )
    }

    private static func sealKey(_ readKey: Bytes32, using crypto: some Cryptography) -> Bytes32 {
        crypto.deriveKey(from: readKey, info: Array("parley earlier".utf8).span.bytes)
    }
}

extension Generations {
    /// All K that follow from some; of several for one generation, the one in the latest record.
    func opened(
        from known: [GenerationID: Bytes32],
        using crypto: some Cryptography
    ) -> [GenerationID: Bytes32] {
        var keys = known
        for (id, generation) in records.reversed() {
            let statement = generation.record.statement
            guard let key = keys[id],
                let earlier = EarlierKeys(statement.earlier, under: key, using: crypto)
            else { continue }
            let further = earlier.further.map { (self.id(of: $0.tag == 0 ? nil : $0.tag), $0.key) }
            for (id, key) in [(statement.parent, earlier.ofParent)] + further {
                guard let id, keys[id] == nil, fits(key, id, using: crypto) else { continue }
                keys[id] = key
            }
        }
        return keys
    }

    /// Whether a K is the one of a generation; that of the birth generation cannot be checked.
    private func fits(
        _ key: Bytes32,
        _ id: GenerationID,
        using crypto: some Cryptography
    ) -> Bool {
        guard let statement = generations[id]?.record.statement else { return id == first }
        return GenerationRecord.Statement.check(key, using: crypto) == statement.check
    }

    /// The K, among those that this node has, that the parent's does not open.
    ///
    /// That of a generation beside the parent's branch goes on if everybody who stays is listed
    /// there: others would read what was to be hidden from them.
    func furtherKeys(
        behind parent: GenerationID,
        _ readKeys: [GenerationID: Bytes32],
        for stays: [Bytes16],
        using crypto: some Cryptography
    ) -> [(tag: UInt64, key: Bytes32)] {
        let opened = opened(from: readKeys.filter { $0.key == parent }, using: crypto)
        let branch = branch(to: parent)
        let missing = readKeys.filter { id, key in
            guard opened[id] != key else { return false }
            guard !branch.contains(id), let record = generations[id]?.record else { return true }
            return stays.allSatisfy(record.lists)
        }
        return missing.sorted { $0.key < $1.key }.prefix(Limits.furtherKeys)
            .map { ($0.key == first ? 0 : $0.key.tag, $0.value) }
    }

    /// A generation with all before it.
    private func branch(to id: GenerationID) -> Set<GenerationID> {
        var branch: Set<GenerationID> = [id]
        var id = id
        while let parent = generations[id]?.record.statement.parent {
            branch.insert(parent)
            id = parent
        }
        return branch
    }

    /// Whether the record of the current generation keeps from whoever joins later what the members
    /// of the one before can read.
    func hidesEarlier(using crypto: some Cryptography) -> Bool {
        guard let id = line.last, let parent = generations[id]?.record.statement.parent else {
            return false
        }
        let keys = allReadKeys(using: crypto)
        guard let own = keys[parent] else { return false }
        return opened(from: keys.filter { $0.key == id }, using: crypto)[parent] != own
    }
}
