import ParleyCore
import Testing

/// How the chunks that a peer asks for go from the disk to its link.
struct BlobServingTests {
    private let sample = SampleBlob(1)

    private func read(_ index: Int, for link: UInt64 = 1) -> BlobChunkRead {
        BlobChunkRead(link: LinkID(link), conversation: 3, blob: sample.id, index: index)
    }

    private func chunk(_ index: Int, _ bytes: Slice) -> BlobChunk {
        BlobChunk(conversation: 3, blob: sample.id, index: UInt64(index), bytes: bytes)
    }

    // MARK: Wanted chunks

    @Test(arguments: [true, false])
    func onlyListedBlobsAreServed(isListed: Bool) {
        var exchange = BlobExchange()
        exchange.keep(sample)
        let answer = exchange.wanted(
            sample.want([0]),
            by: LinkID(1),
            conversation: 3,
            isListed: isListed
        )
        #expect(answer == (isListed ? .queued : .notFound(chunk(0, .empty))))
        #expect(exchange.nextReads(for: LinkID(1)) == (isListed ? [read(0)] : []))
    }

    @Test func onlyCompleteBlobsAreServed() {
        var exchange = BlobExchange()
        exchange.list(sample.reference, conversation: 7)
        #expect(exchange.want(sample, [0], on: 1) == .notFound(chunk(0, .empty)))
    }

    @Test func waitingChunksOfALinkAreLimited() {
        var exchange = BlobExchange()
        exchange.keep(sample)
        for _ in 0..<512 { #expect(exchange.want(sample, [0, 1], on: 1) == .queued) }
        #expect(exchange.want(sample, [0], on: 1) == .overLimit)
        #expect(exchange.want(sample, [0], on: 2) == .queued, "each link has its own limit")
        // A chunk that is being read waits no longer.
        #expect(exchange.nextReads(for: LinkID(1)).count == 2)
        #expect(exchange.want(sample, [0, 1, 0], on: 1) == .overLimit)
        #expect(exchange.want(sample, [0, 1], on: 1) == .queued)
    }

    // MARK: Reading

    @Test func twoChunksAreReadAhead() {
        var exchange = BlobExchange()
        exchange.keep(sample)
        #expect(exchange.want(sample, [1, 0, 1], on: 1) == .queued)
        #expect(exchange.nextReads(for: LinkID(2)) == [])
        #expect(exchange.nextReads(for: LinkID(1)) == [read(1), read(0)])
        exchange.chunkLoaded(read(1), sample.chunk(1))
        #expect(exchange.nextReads(for: LinkID(1)) == [], "one is being read, one is ready")
        #expect(exchange.nextChunk(for: LinkID(1), credit: 100) == chunk(1, sample.chunk(1)))
        #expect(exchange.nextReads(for: LinkID(1)) == [read(1)])
    }

    @Test func chunksAreReadOnceTheyAreOnDisk() {
        var exchange = BlobExchange()
        exchange.list(sample.reference, conversation: 7)
        _ = exchange.store(sample.bytes, as: sample.reference, with: Ticket(1))
        #expect(exchange.want(sample, [0], on: 1) == .queued)
        #expect(exchange.nextReads(for: LinkID(1)) == [])
        #expect(exchange.committed(Ticket(1)) == [])
        #expect(exchange.nextReads(for: LinkID(1)) == [read(0)])
    }

    @Test func lostChunkIsSentAsNotFound() {
        var exchange = BlobExchange()
        exchange.keep(sample)
        #expect(exchange.want(sample, [0], on: 1) == .queued)
        #expect(exchange.nextReads(for: LinkID(1)) == [read(0)])
        exchange.chunkLoaded(read(0), nil)
        #expect(exchange.nextChunk(for: LinkID(1), credit: 0) == chunk(0, .empty))
    }

    // MARK: Sending

    @Test(arguments: [
        Allowance(bytes: 65_535, isSent: false),
        Allowance(bytes: 65_536, isSent: true),
    ])
    func chunkWaitsForCredit(_ allowance: Allowance) {
        var exchange = BlobExchange()
        exchange.keep(sample)
        #expect(exchange.want(sample, [0], on: 1) == .queued)
        #expect(exchange.nextReads(for: LinkID(1)) == [read(0)])
        #expect(exchange.nextChunk(for: LinkID(1), credit: .max) == nil, "it is not read yet")
        exchange.chunkLoaded(read(0), sample.chunk(0))
        let sent = exchange.nextChunk(for: LinkID(1), credit: allowance.bytes)
        #expect(sent == (allowance.isSent ? chunk(0, sample.chunk(0)) : nil))
        let later = exchange.nextChunk(for: LinkID(1), credit: .max)
        #expect(later == (allowance.isSent ? nil : chunk(0, sample.chunk(0))))
    }

    struct Allowance: Sendable {
        let bytes: UInt64
        let isSent: Bool
    }

    @Test func closedLinkIsOwedNothing() {
        var exchange = BlobExchange()
        exchange.keep(sample)
        for link in [UInt64(3), 1, 2] { #expect(exchange.want(sample, [0], on: link) == .queued) }
        #expect(exchange.nextReads(for: LinkID(1)) == [read(0)])
        exchange.linkClosed(LinkID(1))
        exchange.chunkLoaded(read(0), sample.chunk(0))
        #expect(exchange.nextChunk(for: LinkID(1), credit: .max) == nil)
        #expect(exchange.nextReads(for: LinkID(1)) == [])
        for link in [UInt64(2), 3] {
            #expect(exchange.nextReads(for: LinkID(link)) == [read(0, for: link)])
        }
    }
}
