import ParleyCore
import Testing

/// The laws of merging, for every small history.
@Suite struct RegisterLawTests {
    /// Three nodes that write and send one another what they have, in every order: the heads are
    /// always those of everything that a node ever came to know.
    @Test(arguments: 0..<9)
    func honestHeadsAreThoseOfTheFullHistory(firstAction: Int) {
        explore(HonestNodes(count: 3), action: firstAction, depth: 5)
    }

    /// Merging three envelopes one by one gives the result of the model, whatever they claim.
    @Test(arguments: 0..<6)
    func lyingHeadsMergeAsTheModelSays(part: Int) {
        let universe = lyingHeads()
        for (index, first) in universe.enumerated() where index % 6 == part {
            let one = merged(SessionRegister(), first)
            for second in universe[index...] {
                let two = merged(one, second)
                for third in universe {
                    _ = merged(two, third)
                }
            }
        }
    }

    /// Merging is commutative and idempotent whatever the envelopes claim, and associative where
    /// nobody's claims contradict one another.
    @Test(arguments: 0..<6)
    func mergingObeysItsLaws(part: Int) {
        let universe = lyingHeads()
        for (index, first) in universe.enumerated() where index % 6 == part {
            let a = SessionRegister([first])
            #expect(a.merged(with: a) == a)
            for (offset, second) in universe[index...].enumerated() {
                let b = SessionRegister([second])
                let ab = a.merged(with: b)
                if ab != b.merged(with: a) { Issue.record("not commutative: \(first) \(second)") }
                if ab != ab.merged(with: ab) { Issue.record("not idempotent: \(first) \(second)") }
                for third in universe[(index + offset)...]
                where isTransitive([first, second, third]) {
                    let c = SessionRegister([third])
                    if ab.merged(with: c) != a.merged(with: b.merged(with: c)) {
                        Issue.record("not associative: \(first) \(second) \(third)")
                    }
                }
            }
        }
    }

    /// Associativity has a condition, because no trace is kept of a dominated envelope.
    ///
    /// So a Byzantine writer who dominates a message, but not the envelopes that this message
    /// dominated, makes the order matter. The nodes are equal again as soon as they exchange their
    /// heads.
    @Test func contradictingClaimsConvergeThoughOrderMatters() {
        let lowest = Head(writer: 0, sequence: 1, revision: 1)
        let middle = Head(writer: 1, sequence: 1, revision: 2, context: [0: 1])
        let highest = Head(writer: 2, sequence: 1, revision: 3, context: [1: 1])
        #expect(!isTransitive([lowest, middle, highest]))

        var ascending = SessionRegister()
        for head in [lowest, middle, highest] { _ = ascending.merge(head) }
        var descending = SessionRegister()
        for head in [highest, middle, lowest] { _ = descending.merge(head) }

        #expect(ascending.heads == [highest])
        #expect(descending.heads == [highest, lowest])
        #expect(ascending.merged(with: descending) == descending.merged(with: ascending))
    }

    // MARK: Helpers

    private func explore(_ nodes: HonestNodes, action: Int, depth: Int) {
        var nodes = nodes
        let changed = nodes.perform(action)
        if let difference = nodes.difference(at: changed) { Issue.record("\(difference)") }
        guard depth > 0 else { return }
        for next in 0..<9 {
            explore(nodes, action: next, depth: depth - 1)
        }
    }

    /// `register` with `head`, compared with the model.
    private func merged(_ register: SessionRegister, _ head: Head) -> SessionRegister {
        var result = register
        let outcome = result.merge(head)
        if Array(result.heads) != RegisterModel.merge(Array(register.heads), [head]) {
            Issue.record("\(register.heads) and \(head) became \(result.heads)")
        }
        if (outcome.change != nil) != (result != register) {
            Issue.record("\(register.heads) and \(head) told \(outcome)")
        }
        return result
    }

    /// Whether each head dominates everything that a head it dominates dominates.
    private func isTransitive(_ heads: [Head]) -> Bool {
        for high in heads {
            for middle in heads where high.dominates(middle) {
                for low in heads where middle.dominates(low) && !high.dominates(low) {
                    return false
                }
            }
        }
        return true
    }

    /// Three writers, sequences and revisions 1 and 2, and every claim about one another's first
    /// or second envelope.
    private func lyingHeads() -> [Head] {
        var heads: [Head] = []
        for writer in 0..<3 {
            for (sequence, revision) in [(1, 1), (1, 2), (2, 1), (2, 2)] as [(UInt64, UInt64)] {
                for claim in 0..<9 {
                    let claims = [(writer + 1) % 3: claim / 3, (writer + 2) % 3: claim % 3]
                    heads.append(
                        Head(
                            writer: writer,
                            sequence: sequence,
                            revision: revision,
                            context: claims.filter { $0.value > 0 }.mapValues(UInt64.init)
                        )
                    )
                }
            }
        }
        return heads
    }
}

/// Nodes that write what `SessionRegister.replacement` says and send everything they have.
private struct HonestNodes {
    private var registers: [SessionRegister]
    private var known: [[Head]]
    private var sequences: [UInt64]

    init(count: Int) {
        registers = Array(repeating: SessionRegister(), count: count)
        known = Array(repeating: [], count: count)
        sequences = Array(repeating: 0, count: count)
    }

    /// One of count × count actions: a write, or a delivery to another node; returns who changed.
    mutating func perform(_ action: Int) -> Int {
        let (from, to) = action.quotientAndRemainder(dividingBy: registers.count)
        guard from == to else {
            for head in registers[from].heads { _ = registers[to].merge(head) }
            known[to] += known[from].filter { !known[to].contains($0) }
            return to
        }
        sequences[from] += 1
        guard let replacement = try? registers[from].replacement(by: OriginID(writer: from)) else {
            Issue.record("a small history is full")
            return from
        }
        let head = Head(
            dot: Dot(from, sequences[from]),
            revision: replacement.revision,
            context: replacement.context
        )
        known[from].append(head)
        _ = registers[from].merge(head)
        return from
    }

    /// The difference between a node and the model, or nil.
    func difference(at node: Int) -> String? {
        let expected = RegisterModel.merge([], known[node], headsMax: .max)
        guard Array(registers[node].heads) != expected else { return nil }
        return "\(registers[node].heads.map(\.dot)) instead of \(expected.map(\.dot))"
    }
}

extension SessionRegister {
    /// The register that a node has which gets all heads of `other`, the lowest first.
    fileprivate func merged(with other: SessionRegister) -> SessionRegister {
        var result = self
        for head in other.heads.reversed() { _ = result.merge(head) }
        return result
    }
}
