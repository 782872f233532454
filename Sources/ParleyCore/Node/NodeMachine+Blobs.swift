/// Passes what `BlobExchange` answers on to links, writes and reads.
extension NodeMachine {
    mutating func list(_ blob: BlobReference, slot: Int) {
        conversations[slot].list(blob.id)
        blobs.list(blob, conversation: conversations[slot].number)
    }

    mutating func unlist(_ blob: BlobReference, slot: Int) {
        conversations[slot].unlist(blob.id)
        if blobs.unlist(blob.id) { turn.writes.append(.blobDropped(blob.id)) }
    }

    /// Sends what a peer asked for, as far as capacity and credit allow.
    mutating func pumpBlobs(on index: Int) {
        let link = links[index].id
        turn.effects.reads += blobs.nextReads(for: link).map(StoreRead.blobChunk)
        while links[index].outbox.pending < configuration.limits.outboxBytes,
            let chunk = blobs.nextChunk(for: link, credit: links[index].sendCredit.blobsLeft)
        {
            links[index].outbox.append(.blobChunk(chunk))
            links[index].sendCredit.blobsSent += UInt64(chunk.bytes.count)
            links[index].liveness.expectsAnswer(at: turn.now)
        }
    }

    /// Asks peers for blobs that are missing here.
    mutating func askForBlobs() {
        guard !commits.isBlocked, blobs.isMissingAny else { return }
        let links = links
        let asks = blobs.ask(limit: configuration.limits.blobFetches, at: turn.now) {
            links.liveLink(sharing: $0, besides: $1)
        }
        for ask in asks { send(ask) }
    }

    private mutating func send(_ ask: BlobExchange.Ask) {
        guard let index = linkIndex(ask.link),
            let share = links[index].share(ofConversation: ask.conversation)
        else { return }
        let number = links[index].shares[share].ownNumber
        let want = BlobWant(conversation: number, blob: ask.blob, chunks: ask.chunks)
        links[index].outbox.append(.blobWant(want))
        links[index].liveness.expectsAnswer(at: turn.now)
    }

    mutating func blobChunkReceived(_ chunk: BlobChunk, on index: Int) throws(Refusal) {
        guard links[index].grant.blobReceived(chunk.bytes.count) else {
            throw .overLimit("blob bytes beyond the credit")
        }
        let link = links[index].id
        switch blobs.chunkReceived(chunk, from: link, at: turn.now, with: commits.next) {
        case .ignored, .refused: break
        case .kept(let write), .finished(let write):
            turn.writes.append(write)
            turn.envelopeBytes += chunk.bytes.count
            links[index].broughtNews = turn.now
        }
    }

    mutating func blobLoaded(_ blob: BlobID, _ bytes: Slice?) {
        switch blobs.loaded(blob, bytes, at: turn.now, with: commits.next, using: crypto) {
        case .nothing: break
        case .finished(let conversation):
            turn.writes.append(.blobCompleted(blob))
            commits.afterNext(.blobArrived(conversation: conversation, blob))
        case .forged(let link):
            turn.writes.append(.blobDropped(blob))
            if let link, let index = linkIndex(link) { refuse(.badBlob, on: index) }
        case .spoiled:
            turn.writes.append(.blobDropped(blob))
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
        guard let share = try shareIndex(ofPeerNumber: want.conversation, on: index),
            let slot = conversationIndex(links[index].shares[share].conversation)
        else { return }
        let answer = blobs.wanted(
            want,
            by: links[index].id,
            conversation: links[index].shares[share].ownNumber,
            isListed: conversations[slot].listedBlobs[want.blob] != nil
        )
        switch answer {
        case .queued: break
        case .notFound(let chunk): links[index].outbox.append(.blobChunk(chunk))
        case .overLimit: throw .overLimit("more chunks wanted than may wait")
        }
    }
}
