/// Passes what `BlobExchange` answers on to links, writes and reads.
extension NodeMachine {
    /// A head that listed the blob was replaced or dropped.
    mutating func unlist(_ blob: BlobReference) {
        if blobs.unlist(blob.id) { step.writes.append(.blobDropped(blob.id)) }
    }

    /// Keeps a blob that was sealed here.
    mutating func store(_ sealed: Slice, as blob: BlobReference) {
        step.writes += blobs.store(sealed, as: blob, with: commits.next)
        step.contentBytes += sealed.count
    }

    /// Sends what a peer asked for, as far as capacity and credit allow.
    mutating func pumpBlobs(on index: Int) {
        let link = links[index].id
        step.effects.reads += blobs.nextReads(for: link).map(StoreRead.blobChunk)
        while links[index].outbox.pending < links[index].outbox.capacity,
            let chunk = blobs.nextChunk(for: link, credit: links[index].outbox.credit.blobsLeft)
        {
            links[index].outbox.append(.blobChunk(chunk))
            links[index].outbox.credit.blobsSent += UInt64(chunk.bytes.count)
            links[index].liveness.expectsAnswer(at: step.now)
        }
    }

    /// Asks peers for blobs that are missing here.
    mutating func askForBlobs() {
        guard !commits.isBlocked, blobs.isMissingAny else { return }
        let links = links
        let asks = blobs.ask(limit: configuration.limits.blobFetches, at: step.now) {
            links.liveLink(sharing: $0, besides: $1)
        }
        for ask in asks { send(ask) }
    }

    private mutating func send(_ ask: BlobExchange.Ask) {
        guard let index = links.index(of: ask.link),
            let replication = links[index].replication(of: ask.conversation)
        else { return }
        let number = links[index].replications[replication].ownNumber
        let want = BlobWant(conversation: number, blob: ask.blob, chunks: ask.chunks)
        links[index].outbox.append(.blobWant(want))
        links[index].liveness.expectsAnswer(at: step.now)
    }

    mutating func blobChunkReceived(_ chunk: BlobChunk, on index: Int) throws(Refusal) {
        guard links[index].grant.blobReceived(chunk.bytes.count) else {
            throw .overLimit("blob bytes beyond the credit")
        }
        let link = links[index].id
        switch blobs.chunkReceived(chunk, from: link, at: step.now, with: commits.next) {
        case .ignored, .refused: break
        case .kept(let write), .finished(let write):
            step.writes.append(write)
            step.contentBytes += chunk.bytes.count
            links[index].broughtNews = step.now
        }
    }

    mutating func blobLoaded(_ blob: BlobID, _ bytes: Slice?) {
        switch blobs.loaded(blob, bytes, at: step.now, with: commits.next, using: crypto) {
        case .nothing: break
        case .finished(let conversation):
            step.writes.append(.blobCompleted(blob))
            commits.afterNext(.blobArrived(conversation: conversation, blob))
        case .forged(let link):
            step.writes.append(.blobDropped(blob))
            if let link, let index = links.index(of: link) {
                links.refuse(.badBlob, on: index, into: &step)
            }
        case .spoiled:
            step.writes.append(.blobDropped(blob))
            fetchAnew(blob)
        }
    }

    /// Fetches a blob that is spoiled on disk again, if a head still lists it.
    private mutating func fetchAnew(_ blob: BlobID) {
        for conversation in conversations {
            guard let reference = conversation.listing(of: blob) else { continue }
            return blobs.fetchAnew(reference, conversation: conversation.number)
        }
        blobs.drop(blob)
    }

    mutating func blobWanted(_ want: BlobWant, on index: Int) throws(Refusal) {
        guard let (replication, conversation) = try shared(want.conversation, on: index) else {
            return
        }
        let answer = blobs.wanted(
            want,
            by: links[index].id,
            conversation: links[index].replications[replication].ownNumber,
            isListed: conversations[conversation].listedBlobs[want.blob] != nil
        )
        switch answer {
        case .queued: break
        case .notFound(let chunk): links[index].outbox.append(.blobChunk(chunk))
        case .overLimit: throw .overLimit("more chunks wanted than may wait")
        }
    }
}
