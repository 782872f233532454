/// K of the generations that a node can read.
package struct ReadKeys: Sendable {
    private let generations: Generations
    /// By the ID of the generation.
    package private(set) var keys: [GenerationID: Bytes32] = [:]

    /// The keys that a node has, and those which follow from them.
    package init(of generations: Generations, using crypto: some Cryptography) {
        self.generations = generations
        let root = generations.root
        var own: [GenerationID: Bytes32] = [:]
        if let rootGeneration = generations.rootGeneration { own[rootGeneration] = root.readKey }
        if root.role > .relay {
            for (id, secret) in generations.secrets {
                own[id] = Capability.readKey(secret, as: root.role, using: crypto)
            }
        }
        keys = opened(from: own, using: crypto)
    }

    /// By the tag of the generation; without a tag, of the birth generation.
    var byTag: [UInt64?: Bytes32] {
        var byTag: [UInt64?: Bytes32] = [:]
        for (id, key) in keys { byTag[id == generations.first ? nil : id.tag] = key }
        return byTag
    }

    /// All K that follow from some; of several for one generation, the one in the latest record.
    ///
    /// For the birth generation, whose K nobody can check, records on the line come first: whoever
    /// is out can still make others.
    private func opened(
        from known: [GenerationID: Bytes32],
        using crypto: some Cryptography
    ) -> [GenerationID: Bytes32] {
        var keys = known
        var firstBeside: Bytes32?
        let line = Set(generations.line)
        for (record, generation) in generations.records.reversed() {
            let statement = generation.record.statement
            guard let key = keys[record],
                let earlier = EarlierKeys(statement.earlier, under: key, using: crypto)
            else { continue }
            let further = earlier.further.map {
                (generations.id(of: $0.tag == 0 ? nil : $0.tag), $0.key)
            }
            for (id, key) in [(statement.parent, earlier.ofParent)] + further {
                guard let id, keys[id] == nil, fits(key, id, using: crypto) else { continue }
                if id == generations.first, !line.contains(record) {
                    firstBeside = firstBeside ?? key
                } else {
                    keys[id] = key
                }
            }
        }
        keys[generations.first] = keys[generations.first] ?? firstBeside
        return keys
    }

    /// Whether a K is the one of a generation; that of the birth generation cannot be checked.
    private func fits(
        _ key: Bytes32,
        _ id: GenerationID,
        using crypto: some Cryptography
    ) -> Bool {
        guard let statement = generations.generations[id]?.record.statement else {
            return id == generations.first
        }
        return GenerationRecord.Statement.check(key, using: crypto) == statement.check
    }

    /// The K of this node that the parent's K does not open: first the parent's branch, from the
    /// latest generation on.
    ///
    /// The K of a generation beside the branch is passed on if all who stay are listed there, as
    /// others would read messages that were to be hidden. Higher authors come first.
    func further(
        behind parent: GenerationID,
        for stays: [Bytes16],
        using crypto: some Cryptography
    ) -> [(tag: UInt64, key: Bytes32)] {
        var found: [GenerationID] = []
        var opened = opened(from: keys.filter { $0.key == parent }, using: crypto)
        let branch = branch(to: parent)
        for id in branch where found.count < Limits.furtherKeys {
            guard let key = keys[id], opened[id] != key else { continue }
            found.append(id)
            opened[id] = key
            opened = self.opened(from: opened, using: crypto)
        }
        let beside = generations.records.filter { id, generation in
            keys[id] != nil && opened[id] != keys[id] && !branch.contains(id)
                && stays.allSatisfy(generation.record.lists)
        }
        found += beside.sorted { ($0.generation.rank, $0.id) < ($1.generation.rank, $1.id) }
            .map(\.id)
        return found.prefix(Limits.furtherKeys)
            .compactMap { id in keys[id].map { (id == generations.first ? 0 : id.tag, $0) } }
    }

    /// A generation and all before it, the birth generation last.
    private func branch(to id: GenerationID) -> [GenerationID] {
        var branch = [id]
        while let parent = branch.last.flatMap({
            generations.generations[$0]?.record.statement.parent
        }) {
            branch.append(parent)
        }
        return branch
    }

    /// Whether the record of the current generation keeps from whoever joins later what the members
    /// of the one before can read.
    func hidesEarlier(using crypto: some Cryptography) -> Bool {
        guard let id = generations.line.last,
            let parent = generations.generations[id]?.record.statement.parent
        else { return false }
        let opened = opened(from: keys.filter { $0.key == id }, using: crypto)
        return [parent, generations.first].contains { keys[$0] != nil && opened[$0] != keys[$0] }
    }
}
