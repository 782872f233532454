import ParleyCore
import ParleyFaults
import Testing

/// Envelopes of all conversations leave memory and come back from the disk.
@Suite struct ConversationTableRowsTests {
    private let ada = SimulatedAuthor(writer: 2, in: 1)
    private let ben = SimulatedAuthor(writer: 3, in: 2)

    /// Two conversations, of whose envelopes `count` like `envelope` fit into memory.
    private func sample(_ count: Int, of envelope: Envelope) -> SampleTable {
        var limits = Limits()
        limits.cacheBytes = count * envelope.bytes.count
        return SampleTable([1, 2], writers: [ada, ben], limits: limits)
    }

    // MARK: Memory

    @Test func theOldestSessionOfAllConversationsLeavesMemory() throws {
        var sample = sample(2, of: try ada.writes("a"))
        sample.keep(try ben.writes("a"), in: 2)
        sample.keep(try ada.writes("b"))
        #expect(sample.isInMemory == [[true], [true]])
        sample.keep(try ben.writes("c", 2), in: 2)
        #expect(sample.isInMemory == [[true], [false, true]])
        sample.keep(try ben.writes("d", 3), in: 2)
        #expect(sample.isInMemory == [[false], [false, true, true]])
    }

    @Test func envelopesStayInMemoryUntilTheyAreOnDisk() throws {
        var sample = sample(0, of: try ada.writes("a"))
        sample.merge(try ada.writes("a"))
        #expect(sample.endStep().summary == ["row 1 of 1"])
        #expect(sample.isInMemory == [[true], []])
        #expect(sample.endStep() == [])
        #expect(sample.isInMemory == [[true], []])
        sample.commit()
        #expect(sample.endStep() == [])
        #expect(sample.isInMemory == [[false], []])
    }

    @Test func leavingFreesMemory() throws {
        var sample = sample(2, of: try ada.writes("a"))
        sample.keep(try ada.writes("a"))
        sample.keep(try ben.writes("b"), in: 2)
        #expect(sample.leave(1) == [])
        sample.keep(try ben.writes("c", 2), in: 2)
        #expect(sample.isInMemory == [[true, true]])
        sample.keep(try ben.writes("d", 3), in: 2)
        #expect(sample.isInMemory == [[false, true, true]])
    }

    @Test func replacedEnvelopesTakeNoMemory() throws {
        var sample = sample(2, of: try ada.writes("a"))
        sample.keep(try ben.writes("b"), in: 2)
        for number in UInt64(1)...9 { sample.keep(try ada.writes("a", number, revision: number)) }
        #expect(sample.isInMemory == [[true], [true]])
    }

    /// Envelopes that were evicted before the conversation was left are not freed twice.
    @Test func leavingFreesOnlyWhatIsInMemory() throws {
        var sample = sample(2, of: try ada.writes("a"))
        sample.keep(try ada.writes("a"))
        sample.keep(try ben.writes("b"), in: 2)
        sample.keep(try ben.writes("c", 2), in: 2)
        #expect(sample.isInMemory == [[false], [true, true]])
        #expect(sample.leave(1) == [])
        sample.keep(try ben.writes("d", 3), in: 2)
        #expect(sample.isInMemory == [[false, true, true]])
    }

    // MARK: Reading back

    @Test func eachRowIsReadOnce() {
        var sample = SampleTable([1])
        let reads = [[4, 3, 4], [5, 3], []].map { sample.table.startReading($0) }
        #expect(reads == [[.session(row: 4), .session(row: 3)], [.session(row: 5)], []])
        sample.table.loaded(row: 3, heads: [], into: &sample.step)
        let again = sample.table.startReading([3, 4])
        #expect(again == [.session(row: 3)])
    }

    @Test func aRowComesBackIntoItsConversation() throws {
        var sample = sample(0, of: try ada.writes("a"))
        let envelopes = [try ada.writes("a"), try ben.writes("b")]
        sample.keep(envelopes[0])
        sample.keep(envelopes[1], in: 2)
        #expect(sample.isInMemory == [[false], [false]])
        let heads = Few(envelopes.map { StoredHead(dot: $0.header.dot, envelope: $0.bytes) })
        sample.table.loaded(row: 9, heads: heads, into: &sample.step)
        #expect(sample.isInMemory == [[false], [false]])
        sample.table.loaded(row: 2, heads: heads, into: &sample.step)
        #expect(sample.isInMemory == [[false], [true]])
        #expect(sample.step.effects.deliveries.isEmpty)
        sample.endStep()
        #expect(sample.isInMemory == [[false], [false]], "it is here for a moment only")
    }

    @Test func headsThatAreNotThereAnyMoreAreReported() throws {
        let carl = SimulatedAuthor(writer: 4, in: 2)
        var sample = sample(0, of: try ada.writes("a"))
        let unused = try #require(
            try sample.table[1].introduced(carl.record, using: sample.crypto)
        )
        sample.table[1].add(unused)
        sample.keep(try ben.writes("b"), in: 2)
        sample.keep(try carl.writes("b"), in: 2)
        #expect(sample.table[1].sessions.map(\.heads.count) == [2])
        sample.table.loaded(row: 1, heads: [], into: &sample.step)
        let damage = sample.step.effects.deliveries.map { delivery in
            if case .damaged(let row, let text) = delivery { "\(row): \(text)" } else { "" }
        }
        let text = "1: a head is not there any more"
        #expect(damage == [text, text])
    }

    @Test func aDamagedRowIsWrittenAgainFromMemory() throws {
        let envelope = try ada.writes("a")
        var sample = sample(9, of: envelope)
        sample.keep(envelope)
        sample.table.loaded(row: 1, heads: [], into: &sample.step)
        #expect(sample.step.effects.deliveries.isEmpty)
        #expect(sample.endStep().summary == ["row 1 of 1"])
        sample.commit()
        let sound: Few = [StoredHead(dot: envelope.header.dot, envelope: envelope.bytes)]
        sample.table.loaded(row: 1, heads: sound, into: &sample.step)
        #expect(sample.endStep() == [])
    }

    /// It is lacking for members, and what they send is checked and stored.
    @Test func aLostHeadComesBack() throws {
        let envelope = try ada.writes("a")
        var sample = sample(0, of: envelope)
        sample.keep(envelope)
        let head = envelope.head(in: sample.table[0].record.id, using: sample.crypto)
        let entry = try #require(sample.sessions.entry(of: head.dot, in: 0))
        let sums = sample.sessions.auditSums
        let position = sample.table[0].position(of: envelope.header.tag)
        for _ in 0..<2 { sample.table.loaded(row: 1, heads: [], into: &sample.step) }
        #expect(sample.endStep() == [])
        #expect(sample.sessions.auditSums.allSatisfy { $0 == 0 })
        #expect(sample.sessions.standing(of: entry) == .missing)
        #expect(!sample.sessions.knows(head, in: 0), "its proof is checked")
        sample.keep(envelope)
        #expect(sample.sessions.auditSums == sums)
        #expect(sample.sessions.standing(of: entry) == .head(session: 0, head: 0))
        #expect(sample.table[0].position(of: envelope.header.tag) == position.map { $0 + 1 })
        sample.table.loaded(row: 1, heads: [], into: &sample.step)
        sample.keep(try ada.writes("a", 2, revision: 2))
        #expect(sample.sessions.map(\.heads.count) == [1])
        #expect(sample.sessions.auditSums.contains { $0 != 0 })
    }

    // MARK: Recovery

    private func row(_ number: Int64, of conversation: UInt32, _ envelope: Envelope) -> SessionRow {
        SessionRow(
            row: number,
            conversation: conversation,
            tag: envelope.header.tag,
            position: 1,
            heads: [StoredHead(dot: envelope.header.dot, envelope: envelope.bytes)],
            lines: .empty
        )
    }

    @Test(arguments: [
        Recovery(row: 0, conversation: 1, damage: .numberOutOfRange, next: 1),
        Recovery(row: -1, conversation: 3, damage: .numberOutOfRange, next: 1),
        Recovery(row: .max / 2, conversation: 1, damage: .numberOutOfRange, next: 1),
        Recovery(row: .max / 2 - 1, conversation: 1, damage: nil, next: .max / 2),
        Recovery(row: 7, conversation: 1, damage: nil, next: 8),
        // Its number is used all the same.
        Recovery(row: 7, conversation: 3, damage: .conversationUnknown, next: 8),
    ])
    func aRecoveredRowHasANumberAndAConversation(_ recovery: Recovery) throws {
        var sample = SampleTable([1, 2], writers: [ada, ben])
        let blob = BlobReference(1)
        let envelope = try ada.writes("a", blobs: [blob])
        let row = row(recovery.row, of: recovery.conversation, envelope)
        let report = sample.table.recover(row, using: sample.crypto)
        let isTaken = recovery.damage == nil
        #expect(report == RowReport(damage: recovery.damage, listed: isTaken ? [blob] : []))
        #expect(sample.table.map(\.sessionCount) == [isTaken ? 1 : 0, 0])
        sample.merge(try ben.writes("b"), into: 2)
        #expect(sample.endStep().summary == ["row \(recovery.next) of 2"])
    }

    /// A row of the data directory, what is wrong with it, and the number of the next new row.
    struct Recovery: Sendable {
        let row: Int64
        let conversation: UInt32
        let damage: RowDamage?
        let next: Int64
    }

    @Test func damageOfTheConversationIsReported() throws {
        var sample = SampleTable([1, 2], writers: [ada, ben])
        let envelope = try ada.writes("a")
        let reports = [row(1, of: 1, envelope), row(2, of: 1, envelope)].map {
            sample.table.recover($0, using: sample.crypto)
        }
        #expect(reports.map(\.damage) == [nil, .tagTwice])
        let cut = SessionRow(
            row: 3,
            conversation: 2,
            tag: envelope.header.tag,
            position: 1,
            heads: [StoredHead(dot: envelope.header.dot, envelope: nil)],
            lines: .empty
        )
        let report = sample.table.recover(cut, using: sample.crypto)
        #expect(report == RowReport(damage: .headUnreadable))
    }
}

extension SampleTable {
    /// The sessions of the first conversation.
    fileprivate var sessions: SessionTable {
        let conversation = table[0]
        return conversation.sessions
    }
}
