/// The keys of generations on this node.
extension Generations {
    /// The place of a node in the current generation.
    package enum Standing: Sendable, Equatable {
        case member
        /// The device was thrown out.
        case out
        /// The device stays, but no right box with its keys has come.
        case withoutKeys
        /// The records up to the generation of the invite have not come yet.
        case awaitsRecords
    }

    /// The generation whose keys this node joined with; nil if it is not known yet.
    package var rootGeneration: GenerationID? {
        if birth?.publicWriteKey == root.publicWriteKey { return first }
        // Anybody can make a record beside the line with the same public W.
        if let known = line.first(where: { writeKey(of: $0) == root.publicWriteKey }) {
            return known
        }
        let found = generations.filter {
            $0.value.record.statement.publicWriteKey == root.publicWriteKey
        }
        return found.keys.min()
    }

    /// The keys of the current generation; nil without them.
    package func capability(using crypto: some Cryptography) -> Capability? {
        if current == rootGeneration { return root }
        guard let secret = secrets[current], let writeKey = writeKey(of: current) else {
            return nil
        }
        return Capability(secret, as: root.role, publicWriteKey: writeKey, using: crypto)
    }

    /// The place of this node's device now.
    package var standing: Standing {
        guard let rootGeneration else { return .awaitsRecords }
        if current == rootGeneration || secrets[current] != nil { return .member }
        return isMember(ownListing, certifiedBy: rootGeneration, of: current) ? .withoutKeys : .out
    }

    /// The first of the last records in a row that do not list this device.
    package var exclusion: GenerationRecord? {
        let lastListed = line.lastIndex { generations[$0]?.record.lists(ownListing) ?? true }
        let start = lastListed.map { $0 + 1 } ?? 0
        return line.indices.contains(start) ? generations[line[start]]?.record : nil
    }

    /// Opens the boxes for this device, of the current generation and of generations beside the
    /// line: members may have written under their keys before the line was known.
    ///
    /// - Returns: the secrets, to be written.
    mutating func openBoxes(using crypto: some Cryptography) -> [(GenerationID, Bytes32)] {
        let beside = root.role > .relay ? unopened.subtracting([current]).sorted() : []
        unopened = []
        defer { unwritten = [] }
        return unwritten
            + ([current] + beside)
            .compactMap { id in openBox(of: id, using: crypto).map { (id, $0) } }
    }

    private mutating func openBox(
        of id: GenerationID,
        using crypto: some Cryptography
    ) -> Bytes32? {
        guard id != rootGeneration, secrets[id] == nil, let generation = generations[id],
            let boxes = generation.boxes
        else { return nil }
        let statement = generation.record.statement
        guard let index = generation.record.place(of: ownListing), index < boxes.boxes.count
        else {
            return nil
        }
        let box = boxes.boxes[index]
        let terms = BoxTerms(
            conversation: conversation,
            parent: statement.parent,
            publicWriteKey: statement.publicWriteKey,
            ephemeral: boxes.ephemeral
        )
        guard let opened = terms.open(box, using: crypto),
            statement.fits(opened, as: box.role, using: crypto),
            let secret = Capability(
                opened,
                as: box.role,
                publicWriteKey: statement.publicWriteKey,
                using: crypto
            ).secret(of: root.role)
        else { return nil }
        secrets[id] = secret
        return secret
    }

    /// R of the generations in which this node was, the latest first, without the current one.
    func earlierRelayKeys(
        _ readKeys: ReadKeys,
        using crypto: some Cryptography
    ) -> [Bytes32] {
        guard !arePlain else { return [] }
        let latest = Array(line.dropLast().suffix(Limits.earlierTags - 1).reversed())
        return (latest + [first])
            .compactMap { id in
                if id == rootGeneration { return root.relayKey }
                if root.role == .relay { return secrets[id] }
                return readKeys.keys[id]
                    .map { Capability.relayKey(readKey: $0, using: crypto) }
            }
    }

    /// Forgets the boxes of all generations before the current one: whoever was away needs only the
    /// latest.
    mutating func dropBoxesOfLine() {
        for id in line.dropLast() where generations[id]?.boxes != nil { dropBoxes(of: id) }
    }
}

extension GenerationRecord.Statement {
    /// Whether a secret is the one of the generation: S gives its W, and K its check.
    fileprivate func fits(
        _ secret: Bytes32,
        as role: Capability.Role,
        using crypto: some Cryptography
    ) -> Bool {
        if role == .writer {
            let writeSeed = Capability.writeSeed(secret, using: crypto)
            guard crypto.publicKey(ofSeed: writeSeed) == publicWriteKey else { return false }
        }
        // A relay cannot check R, and finds out when no tag fits.
        guard let readKey = Capability.readKey(secret, as: role, using: crypto) else { return true }
        return Self.check(readKey, using: crypto) == check
    }

    /// The first 16 bytes of SHA-256("parley check" ‖ K).
    static func check(_ readKey: Bytes32, using crypto: some Cryptography) -> Bytes16 {
        crypto.sha256(Array("parley check".utf8) + readKey.bytes).prefix16
    }
}
