/// The generations of keys of a conversation that are known here: from the birth generation to the
/// current one, with those beside them.
///
/// The line from the birth generation to the current one is a function of the set of records, so
/// that all nodes with the same records are on the same line. Among the
/// children of a generation first counts the branch with a change of keys by the device of the
/// highest rank; then the higher author; then an author who leaves by it; then the lower ID.
package struct Generations: Sendable {
    /// A generation behind the birth generation.
    package struct Generation: Sendable, Equatable {
        package let record: GenerationRecord
        package let rank: MemberRank
        /// The devices from the first one below the creator down to the author.
        let house: [DeviceID]
        /// Nil once nobody needs them any more.
        package internal(set) var boxes: KeyBoxes?
        /// Whether the author is not among those who stay.
        fileprivate let isWithoutAuthor: Bool
    }

    package let conversation: ConversationID
    /// The keys with which this node joined.
    package let root: Capability
    /// This node's device among those who stay.
    let ownListing: Bytes16
    /// Nil until a member tells.
    package internal(set) var birth: Birth?
    package private(set) var generations: [GenerationID: Generation] = [:]
    private var children: [GenerationID: [GenerationID]] = [:]
    private var idsByTag: [UInt64: GenerationID] = [:]
    /// The generations behind the birth generation, up to the current one.
    package private(set) var line: [GenerationID] = []
    /// The names of records that were forgotten, and generations that lost their boxes, since the
    /// last adoption.
    private var forgotten: [MemberRecord] = []
    private var withoutBoxes: Set<GenerationID> = []
    /// S, K or R of generations by this node's role, but for the keys with which it joined.
    package internal(set) var secrets: [GenerationID: Bytes32] = [:]
    /// Generations whose boxes came since the last adoption.
    package internal(set) var unopened: Set<GenerationID> = []
    /// Secrets that were opened at the start, as their rows were lost.
    var unwritten: [(GenerationID, Bytes32)] = []
    package internal(set) var vouches = VouchTable()
    var uncounted = UncountedEnvelopes()
    /// The sum over everything here, by which two nodes compare.
    package private(set) var sum: UInt64 = 0

    /// The generations of a conversation with these keys, before anything is known of others.
    package init(
        conversation: ConversationID,
        root: Capability,
        creator: Bytes32?,
        using crypto: some Cryptography
    ) {
        self.conversation = conversation
        self.root = root
        ownListing = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
            .listing(in: conversation, as: root.role, using: crypto)
        let birth = Birth(publicWriteKey: root.publicWriteKey, creator: creator)
        _ = add(birth, using: crypto)
    }

    /// Whether the keys never changed, as far as is known here.
    package var arePlain: Bool { generations.isEmpty }

    package var first: GenerationID { GenerationID(birthOf: conversation) }

    package var current: GenerationID { line.last ?? first }

    /// The tag of the current generation, as envelopes and origins have it; nil for the birth
    /// generation.
    package var currentTag: UInt64? { line.last?.tag }

    package var number: UInt32 { UInt32(line.count) + 1 }

    /// The generation with a tag, nil if unknown; without a tag, the birth generation.
    package func id(of tag: UInt64?) -> GenerationID? {
        guard let tag else { return first }
        return idsByTag[tag]
    }

    /// The public W of a generation; nil if unknown.
    package func writeKey(of id: GenerationID) -> Bytes32? {
        id == first
            ? birth?.publicWriteKey : generations[id]?.record.statement.publicWriteKey
    }

    /// All records, each behind its parent.
    package var records: [(id: GenerationID, generation: Generation)] {
        generations.sorted { left, right in
            let numbers = (left.value.record.statement.number, right.value.record.statement.number)
            return numbers.0 == numbers.1 ? left.key < right.key : numbers.0 < numbers.1
        }
        .map { ($0.key, $0.value) }
    }

    // MARK: Adding

    /// Takes the birth, if it is that of the conversation.
    ///
    /// - Returns: whether it is new here.
    package mutating func add(_ birth: Birth, using crypto: some Cryptography) -> Bool {
        guard self.birth == nil, birth.conversationID(using: crypto) == conversation else {
            return false
        }
        self.birth = birth
        // A conversation without a creator shows its birth with its ID, so nobody has to be told.
        if birth.creator != nil { sum &+= Self.digest(of: conversation.value, using: crypto) }
        return true
    }

    /// Takes a record whose parent is known; `settle` then finds the line.
    ///
    /// - Returns: the ID of a new record, or of the current record if the boxes are new; nil for a
    ///   known record, and for one without a place in its branch.
    /// - Throws: `badProof` if nobody with the right to change the keys has made the record.
    package mutating func add(
        _ record: GenerationRecord,
        _ boxes: KeyBoxes?,
        using crypto: some Cryptography
    ) throws(Refusal) -> GenerationID? {
        let statement = record.statement
        guard statement.conversation == conversation, let birth,
            let parentKey = writeKey(of: statement.parent)
        else { return nil }
        let id = statement.id(using: crypto)
        let boxes = boxes.flatMap { boxes in
            let fits = boxes.boxes.count == statement.stays.count
            return fits && crypto.sha256(boxes.packed) == statement.boxes ? boxes : nil
        }
        if let known = generations[id] {
            guard known.boxes == nil, boxes != nil, !line.dropLast().contains(id) else {
                return nil
            }
            generations[id]?.boxes = boxes
            unopened.insert(id)
            // Others need the current ones, too; those beside the line may be dropped at once.
            return id == line.last ? id : nil
        }
        let author = DeviceID(publicKey: statement.author, using: crypto)
        let rank = MemberRank(
            of: author,
            by: statement.path,
            from: birth.creator,
            in: conversation,
            using: crypto
        )
        let house = MemberRank.house(of: author, by: statement.path, from: birth.creator)
        guard let rank, statement.number == number(of: statement.parent) + 1,
            record.isSigned(as: id, by: parentKey, using: crypto)
        else { throw .badProof }
        let listing = author.listing(in: conversation, using: crypto)
        let generation = Generation(
            record: record,
            rank: rank,
            house: house,
            boxes: boxes,
            isWithoutAuthor: !record.lists(listing)
        )
        guard hasPlace(for: house, behind: statement.parent) else { return nil }
        generations[id] = generation
        if boxes != nil { unopened.insert(id) }
        children[statement.parent, default: []].append(id)
        if idsByTag[id.tag].map({ id < $0 }) ?? true { idsByTag[id.tag] = id }
        sum &+= Self.digest(of: id.value, using: crypto)
        return id
    }

    /// Forgets the boxes of a generation.
    mutating func dropBoxes(of id: GenerationID) {
        generations[id]?.boxes = nil
        withoutBoxes.insert(id)
    }

    /// The records to forget on the disk, and those that lost their boxes.
    mutating func takeForgotten() -> (records: [MemberRecord], boxes: [GenerationID]) {
        defer { (forgotten, withoutBoxes) = ([], []) }
        return (forgotten, withoutBoxes.filter { generations[$0] != nil }.sorted())
    }

    /// Some records, which found no place, never came to the disk.
    mutating func forgetUnwritten(_ names: [MemberRecord]) {
        let names = Set(names)
        forgotten.removeAll(where: names.contains)
    }

    /// The number of the generation with a tag; 0 if it is unknown.
    func number(of tag: UInt64?) -> UInt32 { id(of: tag).map { number(of: $0) } ?? 0 }

    func number(of id: GenerationID) -> UInt32 {
        generations[id]?.record.statement.number ?? 1
    }

    /// Forgets a record beside the line, whose children are forgotten as well.
    mutating func remove(_ id: GenerationID, using crypto: some Cryptography) {
        guard let removed = generations.removeValue(forKey: id) else { return }
        children[id] = nil
        children[removed.record.statement.parent]?.removeAll { $0 == id }
        if idsByTag[id.tag] == id { idsByTag[id.tag] = nil }
        sum &-= Self.digest(of: id.value, using: crypto)
        forgotten.append(.generation(id))
        unopened.remove(id)
        if secrets.removeValue(forKey: id) != nil { forgotten.append(.secret(id)) }
    }

    /// Takes a vouch of a writer; `settle` then finds what it is worth.
    ///
    /// - Returns: the ID of a new vouch.
    /// - Throws: `badProof` for a vouch that no writer signed.
    package mutating func add(
        _ vouch: Vouch,
        using crypto: some Cryptography
    ) throws(Refusal) -> Bytes32? {
        guard vouch.conversation == conversation, let key = writeKey(of: vouch.generation) else {
            return nil
        }
        let id = vouch.id(using: crypto)
        guard vouches[id] == nil, vouches.hasPlace(for: vouch) else { return nil }
        guard vouch.isSigned(as: id, by: key, using: crypto) else { throw .badProof }
        vouches[id] = vouch
        sum &+= Self.digest(of: id, using: crypto)
        return id
    }

    /// The first eight bytes of SHA-256("parley member 1" ‖ u8 1 ‖ ID).
    private static func digest(of id: Bytes32, using crypto: some Cryptography) -> UInt64 {
        crypto.sha256(Array("parley member 1".utf8) + [1] + id.bytes).words.0
    }

    // MARK: The line

    private struct Place: Comparable {
        let best: MemberRank
        let rank: MemberRank
        let isWithAuthor: Bool
        let id: GenerationID

        static func < (left: Place, right: Place) -> Bool {
            if left.best != right.best { return left.best < right.best }
            if left.rank != right.rank { return left.rank < right.rank }
            if left.isWithAuthor != right.isWithAuthor { return right.isWithAuthor }
            return left.id < right.id
        }
    }

    /// Finds the line and the worth of vouches after records came, and forgets records beside the
    /// line beyond their limits.
    package mutating func settle(using crypto: some Cryptography) {
        // The generation with the highest author in each branch.
        var patrons: [GenerationID: GenerationID] = [:]
        func rank(_ id: GenerationID) -> MemberRank? {
            patrons[id].flatMap { generations[$0]?.rank }
        }
        for (id, _) in records.reversed() {
            patrons[id] = id
            for child in children[id] ?? [] {
                guard let below = rank(child), let own = rank(id), below < own else { continue }
                patrons[id] = patrons[child]
            }
        }
        line = []
        var parent = first
        while let child = (children[parent] ?? []).min(by: {
            place($0, rank($0)) < place($1, rank($1))
        }) {
            line.append(child)
            parent = child
        }
        trim(patrons, using: crypto)
        let holding = vouches.all.filter { _, vouch in
            let device = DeviceID(publicKey: vouch.device, using: crypto)
            let listing = device.listing(in: conversation, using: crypto)
            // The vouching device has been listed since then. One that is only certified may be
            // invented.
            return generations[vouch.generation]?.record.lists(listing) == true
                && isMember(listing, certifiedBy: vouch.generation, of: current)
        }
        let idle = vouches.settle(Set(holding.map(\.id)))
        for id in idle {
            sum &-= Self.digest(of: id, using: crypto)
            forgotten.append(.vouch(id))
        }
    }

    /// The place of a child among its siblings.
    private func place(_ id: GenerationID, _ best: MemberRank?) -> Place {
        let rank = generations[id]?.rank ?? MemberRank(numbers: [.max], device: DeviceID(.zero))
        let isWithAuthor = !(generations[id]?.isWithoutAuthor ?? true)
        return Place(best: best ?? rank, rank: rank, isWithAuthor: isWithAuthor, id: id)
    }

    // MARK: Members

    /// Whether a device that the W of a generation certified is a member of another one: it was
    /// certified in the same branch, and each record since lists it.
    package func isMember(
        _ listing: Bytes16,
        certifiedBy certifier: GenerationID,
        of id: GenerationID
    ) -> Bool {
        var id = id
        while id != certifier {
            guard let record = generations[id]?.record, record.lists(listing) else { return false }
            id = record.statement.parent
        }
        return true
    }

    /// Whether a device is a member of a generation with at least a role; `tag` is that of the
    /// generation whose keys proved it.
    package func isMember(
        _ device: DeviceID,
        as role: Capability.Role,
        certifiedBy tag: UInt64?,
        of id: GenerationID,
        using crypto: some Cryptography
    ) -> Bool {
        guard let certifier = self.id(of: tag) else { return false }
        let listing = device.listing(in: conversation, as: role, using: crypto)
        return isMember(listing, certifiedBy: certifier, of: id)
    }
}
