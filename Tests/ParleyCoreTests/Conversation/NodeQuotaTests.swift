import ParleyCore
import ParleyFaults
import Testing

/// The limit of all conversations of a node together.
@Suite struct NodeQuotaTests {
    private static let writers = (UInt32(1)...3).map { SimulatedAuthor(writer: 2, in: $0) }

    /// A limit that has no capacity for more than the first messages of the conversations 1 and 2.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let limit: KeptAmount
    }

    static let cases = [
        Case(
            testDescription: "heads",
            limit: KeptAmount(heads: 2, bytes: 1 << 40, origins: 9)
        ),
        Case(
            testDescription: "bytes",
            limit: KeptAmount(heads: 9, bytes: 9_000, origins: 9)
        ),
        Case(
            testDescription: "origins",
            limit: KeptAmount(heads: 9, bytes: 1 << 40, origins: 2)
        ),
    ]

    /// What is beyond the limit is left out, sessions that are here go on, and a conversation that
    /// is left makes capacity for the others.
    @Test(arguments: cases)
    func allConversationsShareALimit(test: Case) throws {
        var limits = Limits()
        limits.allConversations = test.limit
        var sample = SampleTable([1, 2, 3], open: [2], limits: limits)
        for writer in Self.writers { try sample.introduce(writer) }
        let text = String(repeating: "x", count: 2_000)
        for (number, writer) in zip(UInt32(1)..., Self.writers) {
            sample.keep(try writer.writes("s", text: text), in: number)
        }
        #expect(sample.table.map(\.kept.heads) == [1, 1, 0])
        #expect(sample.table.map(\.shortage) == [nil, nil, .allConversations])
        let again = try Self.writers[0].writes("s", 2, revision: 2, text: text)
        sample.keep(again, in: 1)
        #expect(sample.table.takeResumptions() == [])
        _ = sample.leave(2)
        #expect(sample.table.takeResumptions() == [3])
        #expect(sample.table.takeResumptions() == [])
        sample.keep(try Self.writers[2].writes("s"), in: 3)
        #expect(sample.table.map(\.kept.heads) == [1, 1])
    }

    /// The totals are the sums over the conversations, whatever happens to these.
    @Test(arguments: 0..<UInt64(20))
    func totalsAreSums(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var limits = Limits()
        limits.allConversations = KeptAmount(heads: 12, bytes: 30_000, origins: 5)
        var sample = SampleTable([1, 2, 3], open: [2], limits: limits)
        for sequence in 1...UInt64(60) {
            let number = UInt32.random(in: 1...3, using: &random)
            var writer = Self.writers[Int(number) - 1]
            writer.epoch = Epoch(UInt64.random(in: 1...2, using: &random))
            switch Int.random(in: 0..<12, using: &random) {
            case 0: _ = sample.leave(number)
            case 1: _ = sample.join(number)
            default:
                guard sample.table.index(of: number) != nil else { continue }
                try sample.introduce(writer)
                let envelope = try writer.writes(
                    "s\(Int.random(in: 1...6, using: &random))",
                    sequence,
                    revision: UInt64.random(in: 1...9, using: &random),
                    text: String(repeating: "x", count: Int.random(in: 1...900, using: &random))
                )
                sample.keep(envelope, in: number)
            }
            sample.expectTotals()
        }
    }

    /// A quota is used up once nothing more fits, before anything is left out.
    @Test(arguments: [
        Use(of: 1, all: 9, by: 1, isUsedUp: [.conversation, nil, nil]),
        Use(of: 2, all: 9, by: 1, isUsedUp: [nil, nil, nil]),
        Use(of: 9, all: 2, by: 1, isUsedUp: [nil, nil, nil]),
        Use(of: 9, all: 2, by: 2, isUsedUp: Array(repeating: .allConversations, count: 3)),
        Use(of: 1, all: 2, by: 2, isUsedUp: [.conversation, .conversation, .allConversations]),
    ])
    func aQuotaIsUsedUpWhenItIsFull(_ use: Use) throws {
        var limits = Limits()
        limits.quota.conversation.heads = use.single
        limits.allConversations.heads = use.all
        var sample = SampleTable([1, 2, 3], writers: Self.writers, limits: limits)
        for (number, writer) in zip(UInt32(1)..., Self.writers).prefix(use.messages) {
            sample.keep(try writer.writes("s"), in: number)
        }
        #expect(sample.table.map(\.shortage) == [nil, nil, nil])
        let usedUp = sample.table.usedUp
        #expect(
            (1...3).map { number in usedUp.first { $0.conversation == number }?.shortage }
                == use.isUsedUp
        )
    }

    /// Heads that fit into one and into all conversations, the conversations with a message, and
    /// what is used up in each conversation.
    struct Use: Sendable {
        let single: Int
        let all: Int
        let messages: Int
        let isUsedUp: [Shortage?]

        init(of single: Int, all: Int, by messages: Int, isUsedUp: [Shortage?]) {
            self.single = single
            self.all = all
            self.messages = messages
            self.isUsedUp = isUsedUp
        }
    }

    /// A node that starts counts what it reads.
    @Test func aStartCountsTheSame() throws {
        var sample = SampleTable([1, 2], open: [2], writers: Self.writers)
        for (number, writer) in zip(UInt32(1)...2, Self.writers) {
            sample.merge(try writer.writes("s"), into: number)
        }
        let rows = sample.endStep().compactMap { write in
            if case .session(let row) = write { row } else { nil }
        }
        var again = SampleTable([1, 2], open: [2], writers: Self.writers)
        for row in rows { _ = again.table.recover(row, using: again.crypto) }
        #expect(again.table.totals == sample.table.totals)
        #expect(again.table.totals.all.heads == 2)
        again.expectTotals()
    }

    /// A node that keeps little of all its conversations gets everything in the end, under all
    /// faults, and never keeps more.
    @Test(arguments: 0..<UInt64(12))
    func aFullNodeConverges(seed: UInt64) {
        var options = SimulationOptions()
        options.isBrief = true
        var scenario = Scenario(seed: seed, options: options)
        scenario.settings.limits.allConversations = KeptAmount(
            heads: 4 + Int(seed),
            bytes: 16 << 10,
            origins: 6
        )
        let result = Simulation(scenario, options: options).run()
        #expect(result.failures == [])
    }
}

extension SampleTable {
    /// A peer says who the writer is.
    fileprivate mutating func introduce(_ writer: SimulatedAuthor) throws {
        guard let index = table.firstIndex(where: { $0.record.id == writer.table.id }) else {
            return
        }
        guard
            let unused = try table[index].introduced(writer.record, using: crypto)
        else {
            return
        }
        table[index].add(unused)
    }

    fileprivate func expectTotals(_ location: SourceLocation = #_sourceLocation) {
        var (all, open) = (KeptAmount(), KeptAmount())
        for conversation in table {
            all += conversation.kept
            if conversation.record.isOpen { open += conversation.kept }
        }
        #expect(table.totals.all == all, sourceLocation: location)
        #expect(table.totals.open == open, sourceLocation: location)
    }
}
