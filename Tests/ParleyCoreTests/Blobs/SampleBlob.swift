import ParleyCore
import ParleyFaults
import Testing

/// A blob of two chunks, 65,636 bytes long; each number makes another one.
struct SampleBlob {
    private static let crypto = SimulatedCryptography(seed: 1)

    let bytes: Slice
    let id: BlobID

    init(_ number: Int) {
        bytes = Slice([UInt8](repeating: UInt8(number), count: Limits.blobChunkBytes + 100))
        id = BlobID(Self.crypto.sha256(bytes))
    }

    var reference: BlobReference { BlobReference(id: id, size: UInt64(bytes.count)) }

    func chunk(_ index: Int) -> Slice {
        index == 0 ? bytes[0..<Limits.blobChunkBytes] : bytes[Limits.blobChunkBytes..<bytes.count]
    }

    func write(_ index: Int) -> StoreWrite {
        .blobChunk(id, index: index, chunks: 2, chunk(index))
    }

    func ask(of link: UInt64, chunks: [UInt64]) -> BlobExchange.Ask {
        BlobExchange.Ask(link: LinkID(link), conversation: 7, blob: id, chunks: chunks)
    }

    /// A request of a peer, in whose words the conversation has another number.
    func want(_ chunks: [UInt64]) -> BlobWant {
        BlobWant(conversation: 30, blob: id, chunks: chunks)
    }
}

extension BlobExchange {
    /// A data directory holds all of the blob, and a head lists it.
    mutating func keep(_ sample: SampleBlob) {
        recover([sample.id: RecoveredBlob(isComplete: true, chunks: [])])
        list(sample.reference, conversation: 7)
    }

    /// Asks the first of `links` that did not fail.
    mutating func ask(at now: Moment, _ links: UInt64...) -> [Ask] {
        ask(limit: 8, at: now) { _ in links.map { LinkID($0) } }
    }

    /// Asks for blobs that all heads list alike.
    mutating func ask(
        limit: Int,
        at now: Moment,
        links: (UInt32) -> [LinkID]
    ) -> [Ask] {
        ask(limit: limit, at: now, links: links, listings: { _ in [] }).asks
    }

    mutating func receive(
        _ sample: SampleBlob,
        _ index: Int,
        from link: UInt64,
        at now: Moment = .start,
        with ticket: UInt64 = 1
    ) -> ChunkAnswer {
        let chunk = BlobChunk(
            conversation: 3,
            blob: sample.id,
            index: UInt64(index),
            bytes: sample.chunk(index)
        )
        return chunkReceived(chunk, from: LinkID(link), at: now, with: Ticket(ticket))
    }

    mutating func load(_ blob: BlobID, _ bytes: Slice, with ticket: UInt64 = 2) -> LoadAnswer {
        load(blob, .whole(bytes), with: ticket)
    }

    mutating func load(
        _ blob: BlobID,
        _ stored: StoredBlob,
        at now: Moment = .start,
        with ticket: UInt64 = 2
    ) -> LoadAnswer {
        let crypto = SimulatedCryptography(seed: 1)
        return loaded(blob, stored, at: now, with: Ticket(ticket), using: crypto)
    }

    mutating func want(_ sample: SampleBlob, _ chunks: [UInt64], on link: UInt64) -> WantAnswer {
        wanted(sample.want(chunks), by: LinkID(link), conversation: 3, isListed: true)
    }

    /// Serves the first chunk of a blob.
    mutating func serve(_ sample: SampleBlob, on link: UInt64) {
        let answer = want(sample, [0], on: link)
        for read in nextReads(for: LinkID(link)) { chunkLoaded(read, sample.chunk(read.index)) }
        let sent = nextChunk(for: LinkID(link), credit: .max)
        #expect(answer == .queued)
        #expect(sent?.bytes == sample.chunk(0))
    }
}
