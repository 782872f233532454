import ParleyCore
import ParleyFaults
import Testing

/// Members are asked for blobs, and are sent chunks, in turn.
@Suite struct LinkTableBlobsTests {
    private let one = SampleConversation().conversation
    private let two = SampleConversation.other(2)
    private let now = Moment.start + .seconds(3)
    private let sample = SampleBlob(1)

    /// Links of which only the last one is a live member of the conversation 1.
    private func table() -> LinkTable {
        var member = Link(4).greeted(sharing: [two])
        member.share(one, (own: 5, peer: 6))
        return LinkTable([
            Link(1).greeted(sharing: [one]).suspected(at: .start),
            Link(2).greeted(sharing: [two]), Link(3).greeted(), member,
        ])
    }

    private func frames(_ table: inout LinkTable) -> [[Frame]] {
        table.indices.map { table[$0].outbox.takeFrames() }
    }

    /// Members are asked for blobs, at most `limit` at a time.
    private func ask(_ table: inout LinkTable, for blobs: inout BlobExchange, limit: Int) {
        let asks = blobs.ask(
            limit: limit,
            at: now,
            links: { table.all.liveLinks(sharing: $0) },
            listings: { _ in [] }
        ).asks
        table.all.ask(asks, at: now)
    }

    @Test func aLiveMemberIsAskedAndHasToAnswer() {
        var table = table()
        for index in table.indices.dropFirst() { table[index].liveness.heard(at: now) }
        var blobs = BlobExchange()
        blobs.list(sample.reference, conversation: 1)
        ask(&table, for: &blobs, limit: 1)
        let want = BlobWant(conversation: 5, blob: sample.id, chunks: [0, 1])
        #expect(frames(&table) == [[], [], [], [.blobWant(want)]])
        ask(&table, for: &blobs, limit: 1)
        #expect(frames(&table) == [[], [], [], []], "it was asked already")
        for index in table.indices { _ = table[index].liveness.check(at: now + Liveness.suspicion) }
        #expect(table.map(\.isSuspect) == [true, false, false, true])
    }

    @Test(arguments: [0, 1, 2])
    func atMostTheLimitOfBlobsIsAskedFor(limit: Int) {
        var table = table()
        var blobs = BlobExchange()
        for number in 1...3 { blobs.list(SampleBlob(number).reference, conversation: 1) }
        ask(&table, for: &blobs, limit: limit)
        #expect(frames(&table).map(\.count) == [0, 0, 0, limit])
    }

    /// A peer asked for a chunk of 65,536 bytes and for one of 100, which are both read.
    @Test(arguments: [
        Sending(credit: 65_535, capacity: 1, chunks: 0),
        Sending(credit: 65_536, capacity: 1 << 20, chunks: 1),
        Sending(credit: 65_635, capacity: 1 << 20, chunks: 1),
        Sending(credit: 65_636, capacity: 1 << 20, chunks: 2),
        Sending(credit: 1 << 20, capacity: 65_536, chunks: 1),
        Sending(credit: 1 << 20, capacity: 0, chunks: 0),
    ])
    func chunksAreSentAsFarAsCreditAndCapacityAllow(_ sending: Sending) {
        var blobs = BlobExchange()
        blobs.keep(sample)
        let answer = blobs.want(sample, [0, 1], on: 4)
        #expect(answer == .queued)
        for read in blobs.nextReads(for: LinkID(4)) {
            blobs.chunkLoaded(read, sample.chunk(read.index))
        }
        var link = Link(4).greeted(sharing: [one])
        link.outbox = Outbox(capacity: sending.capacity)
        link.outbox.credit.blobLimit = sending.credit
        link.liveness.heard(at: now)
        while let credit = link.chunkCredit,
            let chunk = blobs.nextChunk(for: link.id, credit: credit)
        {
            link.send(chunk, at: now)
        }
        let chunks = link.outbox.takeFrames().map { frame in
            if case .blobChunk(let chunk) = frame { chunk.bytes } else { Slice([]) }
        }
        #expect(chunks == (0..<sending.chunks).map { sample.chunk($0) })
        #expect(link.outbox.credit.blobsSent == UInt64(chunks.reduce(0) { $0 + $1.count }))
        _ = link.liveness.check(at: now + Liveness.suspicion)
        #expect(link.isSuspect == (sending.chunks > 0))
    }

    // MARK: Peers that ask

    /// A head of the conversation lists the first blob, and the data directory holds both.
    @Test(arguments: [
        Asking(blob: 1, chunks: [0, 1], answer: .queued),
        Asking(blob: 2, chunks: [0], answer: .notFound),
        Asking(
            blob: 1,
            chunks: [UInt64](repeating: 0, count: 1_025),
            answer: .refused(.overLimit("more chunks wanted than may wait"))
        ),
    ])
    func onlyWhatAHeadListsIsServed(_ asking: Asking) throws {
        let ada = SimulatedAuthor(writer: 2)
        var conversation = SampleConversation(writers: [ada])
        conversation.take([try ada.writes("s", blobs: [sample.reference])])
        var table = table()
        var blobs = BlobExchange()
        for number in 1...2 { blobs.keep(SampleBlob(number)) }
        let blob = SampleBlob(asking.blob)
        var answer = Asking.Answer.queued
        do throws(ParleyCore.Refusal) {
            let wanted = blobs.wanted(
                blob.want(asking.chunks),
                by: LinkID(4),
                conversation: 5,
                isListed: conversation.conversation.sessions.lists(blob.id)
            )
            try table[3].answer(wanted)
        } catch {
            answer = .refused(error)
        }
        let notFound = BlobChunk(conversation: 5, blob: blob.id, index: 0, bytes: .empty)
        let sent = frames(&table)
        if sent == [[], [], [], [.blobChunk(notFound)]] { answer = .notFound }
        #expect(answer == asking.answer)
        for frames in sent.dropLast() { #expect(frames.isEmpty) }
        let reads = blobs.nextReads(for: LinkID(4))
        #expect(reads.map(\.index) == (answer == .queued ? asking.chunks.map { Int($0) } : []))
        #expect(reads.allSatisfy { $0.conversation == 5 })
    }

    /// The chunks of a sample blob that a peer asks for, and the answer.
    struct Asking: Sendable {
        enum Answer: Sendable, Equatable {
            case queued
            case notFound
            case refused(ParleyCore.Refusal)
        }

        let blob: Int
        let chunks: [UInt64]
        let answer: Answer
    }

    /// The credit and the capacity of a link in bytes, and how many chunks it carries.
    struct Sending: Sendable {
        let credit: UInt64
        let capacity: Int
        let chunks: Int
    }
}
