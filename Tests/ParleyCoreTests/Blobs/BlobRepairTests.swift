import ParleyCore
import Testing

/// Blobs that an earlier process left, or that the disk spoiled, are kept or fetched again.
struct BlobRepairTests {
    // MARK: Recovery

    @Test(arguments: [
        Found(isComplete: true, chunks: [], missing: nil, isChecked: false),
        Found(isComplete: false, chunks: [1], missing: [0], isChecked: false),
        Found(isComplete: false, chunks: [1, 5], missing: [0], isChecked: false),
        Found(isComplete: false, chunks: [0, 1], missing: nil, isChecked: true),
    ])
    func recoveredBlobGoesOnWhereItWas(_ found: Found) {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.recover([
            sample.id: RecoveredBlob(isComplete: found.isComplete, chunks: found.chunks)
        ])
        exchange.list(sample.reference, conversation: 7)
        #expect(exchange.isComplete(sample.id) == found.isComplete)
        let asks = found.missing.map { [sample.ask(of: 1, chunks: $0)] } ?? []
        #expect(exchange.ask(at: .start, 1) == asks)
        #expect(exchange.committed(Ticket(0)) == (found.isChecked ? [sample.id] : []))
    }

    /// The part of a blob of two chunks that a data directory holds, and what follows.
    struct Found: Sendable {
        let isComplete: Bool
        let chunks: Set<Int>
        let missing: [UInt64]?
        let isChecked: Bool
    }

    @Test func unlistedBlobsAreDroppedInOrder() {
        var exchange = BlobExchange()
        let samples = (1...4).map { SampleBlob($0) }
        for (index, sample) in samples.enumerated() {
            let blob = RecoveredBlob(isComplete: index % 2 == 0, chunks: [0])
            exchange.recover([sample.id: blob])
        }
        exchange.list(samples[1].reference, conversation: 7)
        let dropped = [0, 2, 3].map { samples[$0].id }.sorted()
        #expect(exchange.dropUnlisted() == dropped)
        #expect(exchange.dropUnlisted() == [])
        #expect(!exchange.isComplete(samples[0].id))
    }

    // MARK: Repairs

    @Test(arguments: [
        Doubt(stored: .whole(SampleBlob(1).bytes), answer: .nothing),
        Doubt(stored: .unreadable, answer: .nothing),
        Doubt(stored: .whole(Slice([1, 2, 3])), answer: .spoiled(chunks: [])),
        Doubt(stored: .notFound, answer: .spoiled(chunks: [])),
        Doubt(stored: .damaged(chunks: [1]), answer: .spoiled(chunks: [1])),
    ])
    func servedBlobIsReadBackWhenAPeerDoubtsIt(_ doubt: Doubt) {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.keep(sample)
        #expect(exchange.doubtServed(on: LinkID(1)) == [], "nothing was served yet")
        exchange.serve(sample, on: 1)
        #expect(exchange.doubtServed(on: LinkID(2)) == [])
        #expect(exchange.doubtServed(on: LinkID(1)) == [sample.id])
        #expect(exchange.doubtServed(on: LinkID(1)) == [], "it is being read")
        #expect(exchange.load(sample.id, doubt.stored) == doubt.answer)
        #expect(exchange.isComplete(sample.id), "a spoiled blob stays until it is repaired")
        #expect(exchange.doubtServed(on: LinkID(1)) == [sample.id], "the doubt was settled")
    }

    /// The part that the disk holds of a blob that a peer doubts.
    struct Doubt: Sendable {
        let stored: StoredBlob
        let answer: BlobExchange.LoadAnswer
    }

    @Test func doubtedBlobIsReadBackOnce() {
        var exchange = BlobExchange()
        let samples = (1...2).map { SampleBlob($0) }
        exchange.keep(samples[0])
        var step = Step()
        for _ in 0..<2 {
            for sample in samples { exchange.doubt(sample.id, into: &step) }
        }
        #expect(step.effects.reads == [.blob(samples[0].id)], "the other one is not complete")
    }

    /// Only the chunks that are known to be damaged are deleted and asked for.
    @Test(arguments: [
        Repair(chunks: [], isPartial: false, asks: [0, 1]),
        Repair(chunks: [1], isPartial: true, asks: [1]),
        Repair(chunks: [0, 1], isPartial: false, asks: [0, 1]),
        Repair(chunks: [7], isPartial: false, asks: [0, 1]),
    ])
    func damagedChunksAreFetchedAnew(_ repair: Repair) {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.keep(sample)
        let write = exchange.repair(
            sample.id,
            chunks: repair.chunks,
            listedBy: BlobListing(conversation: 7, blob: sample.reference)
        )
        let dropsChunks = StoreWrite.blobChunksDropped(sample.id, repair.chunks)
        #expect(write == (repair.isPartial ? dropsChunks : .blobDropped(sample.id)))
        #expect(!exchange.isComplete(sample.id))
        #expect(exchange.ask(at: .start, 1) == [sample.ask(of: 1, chunks: repair.asks)])
    }

    /// Damaged chunks of a blob of two; whether the others are kept; what is asked for.
    struct Repair: Sendable {
        let chunks: [Int]
        let isPartial: Bool
        let asks: [UInt64]
    }

    @Test func spoiledBlobThatNoHeadListsIsDropped() {
        var exchange = BlobExchange()
        let sample = SampleBlob(1)
        exchange.keep(sample)
        #expect(exchange.repair(sample.id, chunks: [1], listedBy: nil) == .blobDropped(sample.id))
        #expect(!exchange.isComplete(sample.id))
        #expect(exchange.ask(at: .start, 1) == [])
    }

    @Test func lastSixteenServedBlobsAreDoubted() {
        var exchange = BlobExchange()
        let samples = (1...17).map { SampleBlob($0) }
        for sample in samples {
            exchange.keep(sample)
            exchange.serve(sample, on: 1)
        }
        #expect(exchange.doubtServed(on: LinkID(1)) == samples.dropFirst().map(\.id))
    }
}
