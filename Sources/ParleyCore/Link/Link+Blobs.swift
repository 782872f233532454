/// Asks for blobs, and sends the chunks that the peer asked for.
extension Link {
    /// Asks the peer for chunks of a blob, unless the conversation is not shared any more.
    mutating func ask(_ ask: BlobExchange.Ask, at now: Moment) {
        guard let replication = replication(of: ask.conversation) else { return }
        let number = replications[replication].ownNumber
        outbox.append(
            .blobWant(BlobWant(conversation: number, blob: ask.blob, chunks: ask.chunks))
        )
        liveness.expectsAnswer(at: now)
    }

    /// Answers a peer that asks for chunks: it hears at once if the blob is not found here.
    package mutating func answer(_ answer: BlobExchange.WantAnswer) throws(Refusal) {
        switch answer {
        case .queued: break
        case .notFound(let chunk): outbox.append(.blobChunk(chunk))
        case .overLimit: throw .overLimit("more chunks wanted than may wait")
        }
    }

    /// The bytes of a chunk that may be sent now; nil while the outbox is full.
    @inline(__always)
    package var chunkCredit: UInt64? {
        outbox.pending < outbox.capacity ? outbox.credit.blobsLeft : nil
    }

    /// Sends a chunk that the peer asked for, which is not longer than `chunkCredit`.
    package mutating func send(_ chunk: BlobChunk, at now: Moment) {
        outbox.append(.blobChunk(chunk))
        outbox.credit.blobsSent += UInt64(chunk.bytes.count)
        liveness.expectsAnswer(at: now)
    }

    /// Sends the chunks that were read, as far as the credit reaches.
    ///
    /// - Returns: the chunks to read next.
    @inline(__always)
    mutating func serve(_ blobs: inout BlobExchange, at now: Moment) -> [BlobChunkRead] {
        while let credit = chunkCredit, let chunk = blobs.nextChunk(for: id, credit: credit) {
            send(chunk, at: now)
        }
        // Sending frees capacity for chunks that are read ahead.
        return blobs.nextReads(for: id)
    }
}
