import ParleyCore
import ParleyFaults
import Testing

/// The conversations of a node: their order, joining and leaving, and their origins.
@Suite struct ConversationTableTests {
    private let ada = SimulatedAuthor(writer: 2, in: 1)
    private let ben = SimulatedAuthor(writer: 3, in: 2)

    // MARK: Order

    @Test func conversationsAscendByNumber() {
        var sample = SampleTable()
        let indices = [5, 2, 9, 3].map { (number: UInt32) in
            sample.table.add(
                RecoveredConversation(record: SampleTable.record(number, isOpen: number < 4)),
                epoch: SampleConversation.epoch,
                using: sample.crypto
            )
        }
        #expect(indices == [0, 0, 2, 1])
        #expect(sample.numbers == [2, 3, 5, 9])
        #expect([2, 3, 5, 9, 4].map { sample.table.index(of: $0) } == [0, 1, 2, 3, nil])
        #expect(sample.table.openNumbers == [2, 3])
    }

    // MARK: Joining

    @Test(arguments: [
        Joining(present: [], countMax: 1, joined: 7, index: 0),
        Joining(present: [3, 5], countMax: 3, joined: 4, index: 1),
        Joining(present: [3, 5], countMax: 3, joined: 6, index: 2),
        Joining(present: [3, 5], countMax: 2, joined: 4, index: nil),
        Joining(present: [3, 5], countMax: 9, joined: 5, index: nil),
    ])
    func aNewConversationIsJoinedWhileTheLimitAllows(_ joining: Joining) {
        var limits = Limits()
        limits.conversations = joining.countMax
        var sample = SampleTable(joining.present, limits: limits)
        let index = sample.join(joining.joined)
        #expect(index == joining.index)
        let isJoined = joining.index != nil
        #expect(sample.numbers == (joining.present + (isJoined ? [joining.joined] : [])).sorted())
        #expect(
            sample.step.writes
                == (isJoined ? [.conversation(SampleTable.record(joining.joined))] : [])
        )
    }

    /// Joining a conversation beside others, and its index, or nil if it is not joined.
    struct Joining: Sendable {
        let present: [UInt32]
        let countMax: Int
        let joined: UInt32
        let index: Int?
    }

    @Test func changedRowsAreWrittenBeforeConversationsMove() throws {
        var sample = SampleTable([1, 2], writers: [ada, ben])
        sample.merge(try ben.writes("s"), into: 2)
        #expect(sample.leave(1) == [])
        #expect(sample.step.writes.summary == ["row 1 of 2", "left 1"])
        sample.endStep()
        sample.merge(try ben.writes("t", 2), into: 2)
        #expect(sample.join(1) == 0)
        #expect(sample.step.writes.summary == ["row 2 of 2", "joined 1"])
        #expect(sample.endStep().count == 2, "a row was written twice")
    }

    // MARK: Leaving

    @Test func leavingAnswersTheBlobsOfAllHeads() throws {
        let carl = SimulatedAuthor(writer: 4, in: 1)
        var sample = SampleTable([1, 2], writers: [ada, ben, carl])
        sample.keep(try ada.writes("s", blobs: [BlobReference(1)]))
        sample.keep(try ada.writes("s", 2, revision: 2, blobs: [BlobReference(2)]))
        sample.keep(try carl.writes("s", revision: 2, blobs: [BlobReference(3)]))
        sample.keep(try ada.writes("t", 3, blobs: [BlobReference(2), BlobReference(4)]))
        sample.keep(try ben.writes("s", blobs: [BlobReference(5)]), in: 2)
        let blobs = [2, 3, 2, 4].map { BlobReference($0) }
        #expect(sample.leave(1) == blobs)
        #expect(sample.leave(1) == nil)
        #expect(sample.numbers == [2])
        #expect(sample.endStep() == [.conversationLeft(1)])
    }

    @Test func theConversationThatListsABlobIsFound() throws {
        var sample = SampleTable([1, 2], writers: [ada, ben])
        sample.keep(try ada.writes("s", blobs: [BlobReference(1)]))
        sample.keep(try ben.writes("s", blobs: [BlobReference(2)]), in: 2)
        let found = [1, 2, 3].map { sample.table.listings(of: BlobReference($0).id) }
        #expect(found.map { $0.map(\.conversation) } == [[1], [2], []])
        #expect(found.map { $0.map(\.blob) } == [[BlobReference(1)], [BlobReference(2)], []])
    }

    // MARK: Starting

    @Test func incarnationsAreForgottenWhereTheyBegan() {
        var sample = SampleTable([1, 2])
        sample.table.begin(1, incarnation: 7, into: &sample.step)
        let started = FeedIncarnation(id: 7, start: 0)
        #expect(sample.endStep() == [.incarnationStarted(conversation: 2, started)])
        #expect(sample.table.map(\.presentIncarnation) == [nil, 7])
        sample.table.forgetIncarnations(into: &sample.step)
        #expect(sample.endStep() == [.incarnationsForgotten(conversation: 2)])
        #expect(sample.table.map(\.presentIncarnation) == [nil, nil])
    }

    @Test func cursorsCountOnceTheyAreOnDisk() {
        var sample = SampleTable([1, 2])
        let cursor = FeedCursor(incarnation: 7, position: 8)
        for conversation in [2, 3] as [UInt32] {
            let pending = PendingCursor(
                conversation: conversation,
                peer: ada.device,
                cursor: cursor
            )
            sample.step.writes.append(sample.tickets.write(pending, at: .start))
        }
        sample.endStep()
        #expect(sample.table.map(\.cursors) == [[:], [:]])
        sample.commit()
        #expect(sample.table.map(\.cursors) == [[:], [ada.device: cursor]])
    }

    // MARK: Origins

    @Test func anOriginIsUnusedUntilAnEnvelopeOfItCame() throws {
        var sample = SampleTable([1, 2], writers: [ada])
        let unused = try #require(
            try sample.table[1].introduced(ben.record, using: sample.crypto)
        )
        sample.table[1].add(unused)
        let origins = [
            IntroducedOrigin(conversation: 2, id: ben.origin),
            IntroducedOrigin(conversation: 1, id: ben.origin),
            IntroducedOrigin(conversation: 3, id: ben.origin),
            IntroducedOrigin(conversation: 1, id: ada.origin),
            IntroducedOrigin(conversation: 1, id: SampleConversation.own.origin),
        ]
        let isUnused = origins.map { sample.table.isUnused($0) }
        #expect(isUnused == [true, false, false, false, true])
        sample.keep(try ben.writes("s"), in: 2)
        #expect(!sample.table.isUnused(origins[0]))
    }

    @Test func unusedOriginsAreForgotten() throws {
        var sample = SampleTable([1, 2], writers: [ada])
        let unused = try #require(
            try sample.table[1].introduced(ben.record, using: sample.crypto)
        )
        sample.table[1].add(unused)
        sample.table.forget([
            IntroducedOrigin(conversation: 3, id: ben.origin),
            IntroducedOrigin(conversation: 1, id: ben.origin),
        ])
        #expect(sample.table[1].author(of: ben.origin) != nil)
        sample.table.forget([IntroducedOrigin(conversation: 2, id: ben.origin)])
        #expect(sample.table[1].author(of: ben.origin) == nil)
        #expect(sample.table[0].author(of: ada.origin) != nil)
    }
}
