/// Asks for blobs on links, and answers peers that ask for them.
extension LinkTable {
    /// Asks members for blobs that are missing here, at most `limit` at a time.
    package mutating func ask(for blobs: inout BlobExchange, limit: Int, at now: Moment) {
        guard blobs.isMissingAny else { return }
        let asks = blobs.ask(limit: limit, at: now) { conversation, others in
            liveLink(sharing: conversation, besides: others)
        }
        for ask in asks {
            guard let index = index(of: ask.link),
                let replication = self[index].replication(of: ask.conversation)
            else { continue }
            let number = self[index].replications[replication].ownNumber
            let want = BlobWant(conversation: number, blob: ask.blob, chunks: ask.chunks)
            self[index].outbox.append(.blobWant(want))
            self[index].liveness.expectsAnswer(at: now)
        }
    }

    /// A peer asks for chunks of a blob; it hears at once if the blob is not found here.
    package mutating func blobWanted(
        _ want: BlobWant,
        from replication: ReplicationIndex,
        of conversation: Conversation,
        in blobs: inout BlobExchange
    ) throws(Refusal) {
        let answer = blobs.wanted(
            want,
            by: self[replication.link].id,
            conversation: self[replication].ownNumber,
            isListed: conversation.listedBlobs[want.blob] != nil
        )
        switch answer {
        case .queued: break
        case .notFound(let chunk): self[replication.link].outbox.append(.blobChunk(chunk))
        case .overLimit: throw .overLimit("more chunks wanted than may wait")
        }
    }
}

extension Link {
    /// Sends the chunks that the peer asked for, as far as capacity and credit allow.
    package mutating func sendChunks(of blobs: inout BlobExchange, at now: Moment) {
        while outbox.pending < outbox.capacity,
            let chunk = blobs.nextChunk(for: id, credit: outbox.credit.blobsLeft)
        {
            outbox.append(.blobChunk(chunk))
            outbox.credit.blobsSent += UInt64(chunk.bytes.count)
            liveness.expectsAnswer(at: now)
        }
    }
}
