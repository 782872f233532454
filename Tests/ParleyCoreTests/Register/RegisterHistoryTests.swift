import ParleyCore
import ParleyFaults
import Testing

/// The claims of the reference model, by seeds.
@Suite struct RegisterHistoryTests {
    /// Arbitrary claims, arbitrary delivery, one head at a time: each merge is what the model says,
    /// what a node shows never goes back, and nodes that exchange their heads end equal.
    @Test(arguments: 0..<UInt64(20), [2, 64])
    func lyingWritersConverge(hundred: UInt64, headsMax: Int) {
        for seed in hundred * 100..<(hundred + 1) * 100 {
            var nodes = Nodes(count: 4, headsMax: headsMax, seed: seed)
            for _ in 0..<10 {
                let head = nodes.lyingHead()
                nodes.deliver(head, to: 0)
                for node in 1..<4 where nodes.random.chance(6, in: 10) {
                    nodes.deliver(head, to: node)
                }
            }
            nodes.gossip()
            let ends = Set(nodes.registers.map { Array($0.heads).description })
            #expect(ends.count == 1, "seed \(seed)")
        }
    }

    /// Crashes that skip sequences, lost and reordered heads: in the end every node has the heads
    /// of everything ever written, nothing lost and nothing resurrected.
    @Test(arguments: 0..<UInt64(20))
    func honestWritersLoseNothing(hundred: UInt64) {
        for seed in hundred * 100..<(hundred + 1) * 100 {
            var nodes = Nodes(count: 5, headsMax: Limits.heads, seed: seed)
            var everything: [Head] = []
            for _ in 0..<40 {
                let node = Int.random(in: 0..<5, using: &nodes.random)
                if nodes.random.chance(4, in: 10) {
                    everything.append(nodes.write(at: node))
                } else {
                    nodes.deliverSome(from: Int.random(in: 0..<5, using: &nodes.random), to: node)
                }
            }
            nodes.gossip()
            let expected = RegisterModel.merge([], everything, headsMax: .max)
            for register in nodes.registers {
                #expect(Array(register.heads) == expected, "seed \(seed)")
            }
            #expect(nodes.unkeptChanges == 0, "seed \(seed)")
        }
    }
}

/// Nodes that compare each merge with the model.
private struct Nodes {
    var registers: [SessionRegister]
    var random: SeededRandom
    /// Changes by a head that was dominated itself.
    private(set) var unkeptChanges = 0
    private var sequences: [UInt64]
    private let headsMax: Int
    private let seed: UInt64

    init(count: Int, headsMax: Int, seed: UInt64) {
        registers = Array(repeating: SessionRegister(), count: count)
        sequences = Array(repeating: 0, count: count)
        random = SeededRandom(seed: seed)
        self.headsMax = headsMax
        self.seed = seed
    }

    /// An envelope of one of three writers that claims anything.
    mutating func lyingHead() -> Head {
        let writer = Int.random(in: 0..<3, using: &random)
        var context: [Int: UInt64] = [:]
        for other in 0..<3 where other != writer && random.chance(1, in: 2) {
            context[other] = UInt64.random(in: 1...5, using: &random)
        }
        return Head(
            writer: writer,
            sequence: UInt64.random(in: 1...5, using: &random),
            revision: UInt64.random(in: 1...6, using: &random),
            context: context,
            content: random.next()
        )
    }

    /// A node replaces all that it has, as the model and the register say alike.
    mutating func write(at node: Int) -> Head {
        sequences[node] += 1 + UInt64.random(in: 0...2, using: &random)
        let head = RegisterModel.write(Array(registers[node].heads), node, sequences[node])
        let replacement = try? registers[node].replacement(by: OriginID(writer: node))
        #expect(replacement == Replacement(revision: head.revision, context: head.context))
        deliver(head, to: node)
        return head
    }

    mutating func deliverSome(from: Int, to: Int) {
        for head in registers[from].heads.shuffled(using: &random)
        where random.chance(7, in: 10) {
            deliver(head, to: to)
        }
    }

    /// One merge, with what must be true of each.
    mutating func deliver(_ head: Head, to node: Int) {
        let before = registers[node]
        let outcome = registers[node].merge(head, headsMax: headsMax)
        let after = registers[node]
        let expected = RegisterModel.merge(Array(before.heads), [head], headsMax: headsMax)
        if Array(after.heads) != expected { Issue.record("seed \(seed): not what the model says") }
        if let old = before.shown, after.shown.map({ $0 < old }) ?? true {
            Issue.record("seed \(seed): shown went back")
        }
        check(outcome, of: head, before: Array(before.heads), after: Array(after.heads))
        if outcome.change?.isKept == false { unkeptChanges += 1 }
    }

    /// Everybody gets everything from everybody, head by head, until nothing changes.
    mutating func gossip() {
        for _ in 0..<100 {
            let before = registers
            for from in registers.indices.shuffled(using: &random) {
                for to in registers.indices.shuffled(using: &random) where to != from {
                    for head in registers[from].heads.shuffled(using: &random) {
                        deliver(head, to: to)
                    }
                }
            }
            if registers == before { return }
        }
        Issue.record("seed \(seed): no end")
    }

    private func check(_ outcome: MergeOutcome, of head: Head, before: [Head], after: [Head]) {
        let removed = before.filter { !after.contains($0) }
        let expected = Array(outcome.change?.replaced ?? []) + (outcome.dropped.map { [$0] } ?? [])
        let isRight =
            (outcome.change != nil) == (before != after)
            && removed == expected.filter { $0 != head }.sorted(by: >)
            && outcome.change.map { change in
                change.isKept == after.contains(head)
                    && change.isShown == (after.first == head)
                    && change.headsBefore == before.count && change.headsAfter == after.count
                    // A change raises the sorted list of heads, or only takes from it.
                    && change.isKept == before.lexicographicallyPrecedes(after)
            } ?? true
        if !isRight { Issue.record("seed \(seed): \(before), \(head) told \(outcome)") }
    }
}
