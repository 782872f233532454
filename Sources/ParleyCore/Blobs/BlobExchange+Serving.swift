/// Serving the chunks that peers ask for.
extension BlobExchange {
    /// The answer to a peer that asks for chunks.
    package enum WantAnswer: Sendable, Equatable {
        /// The chunks are read and sent in turn.
        case queued
        /// The blob is not found here; the chunk to send says so.
        case notFound(BlobChunk)
        /// Too many chunks would wait for this peer.
        case overLimit
    }

    /// A peer asks for chunks of a blob, which is served only if a head of the conversation lists
    /// it.
    ///
    /// `conversation` is the number that this node gave the conversation on the link.
    package mutating func wanted(
        _ want: BlobWant,
        by link: LinkID,
        conversation: UInt32,
        isListed: Bool
    ) -> WantAnswer {
        guard isListed, isComplete(want.blob) else {
            return .notFound(
                BlobChunk(conversation: conversation, blob: want.blob, index: 0, bytes: .empty)
            )
        }
        let index = openQueue(of: link)
        guard queues[index].append(want.chunks, of: want.blob, in: conversation) else {
            return .overLimit
        }
        return .queued
    }

    /// The chunks to read from disk now for a link.
    package mutating func nextReads(for link: LinkID) -> [BlobChunkRead] {
        guard let index = queueIndex(link) else { return [] }
        var reads: [BlobChunkRead] = []
        while let next = queues[index].nextToRead, !isOnItsWayToDisk(next.blob) {
            queues[index].readBegan()
            reads.append(
                BlobChunkRead(
                    link: link,
                    conversation: next.conversation,
                    blob: next.blob,
                    index: next.index
                )
            )
        }
        return reads
    }

    /// A chunk was read from disk, nil if it is not found there.
    package mutating func chunkLoaded(_ read: BlobChunkRead, _ bytes: Slice?) {
        guard let index = queueIndex(read.link) else { return }
        queues[index].readEnded(
            BlobChunk(
                conversation: read.conversation,
                blob: read.blob,
                index: UInt64(read.index),
                bytes: bytes ?? .empty
            )
        )
    }

    /// A chunk was read from disk; if it is nil but part of the blob, the blob is damaged.
    mutating func chunkLoaded(
        _ read: BlobChunkRead,
        _ bytes: Slice?,
        listings: (BlobID) -> [BlobListing],
        into step: inout Step
    ) {
        chunkLoaded(read, bytes)
        // Whoever asks for a chunk beyond the end only wants to know whether the blob is here.
        guard bytes == nil, listings(read.blob).contains(where: { read.index < $0.blob.chunkCount })
        else { return }
        doubt(read.blob, into: &step)
    }

    /// The next chunk to send on a link, if it has at most `credit` bytes.
    package mutating func nextChunk(for link: LinkID, credit: UInt64) -> BlobChunk? {
        guard let index = queueIndex(link) else { return nil }
        return queues[index].next(credit: credit)
    }

    private func queueIndex(_ link: LinkID) -> Int? {
        queues.firstIndex { $0.link == link }
    }

    private mutating func openQueue(of link: LinkID) -> Int {
        let index = queues.firstIndex { $0.link >= link } ?? queues.count
        if index == queues.count || queues[index].link != link {
            queues.insert(BlobQueue(link: link), at: index)
        }
        return index
    }
}
