/// Carries out the answers of `BlobExchange`: frames, writes and reads.
extension NodeMachine {
    mutating func blobChunkReceived(_ chunk: BlobChunk, on index: Int) throws(Refusal) {
        try links[index].blobReceived(bytes: chunk.bytes.count)
        guard
            try links.all.shared(chunk.conversation, .blobChunk, on: index, conversations) != nil
        else { return }
        let (link, device) = (links[index].id, links[index].device)
        if chunk.index > 0 {
            step.effects.deliveries += author.audience.has(chunk.blob, device)
        }
        switch blobs.chunkReceived(chunk, from: link, at: step.now, with: commits.next) {
        case .ignored, .refused: break
        case .kept(let write), .finished(let write):
            step.writes.append(write)
            step.contentBytes += chunk.bytes.count
            links[index].broughtNews(at: step.now)
        }
    }

    mutating func blobLoaded(_ blob: BlobID, _ stored: StoredBlob) {
        blobs.scrubbed(blob, stored, at: step.now, limits: configuration.limits)
        switch blobs.loaded(blob, stored, at: step.now, with: commits.next, using: crypto) {
        case .nothing: break
        case .finished(let conversation):
            step.writes.append(.blobCompleted(blob))
            commits.afterNext(.blobArrived(conversation: conversation, blob))
        case .forged(let link):
            step.writes.append(.blobDropped(blob))
            guard let link, let index = links.all.index(of: link) else { break }
            links.refuse(.badBlob, on: index, into: &step)
        case .lost(let chunks):
            step.writes.append(.blobChunksDropped(blob, chunks))
        case .spoiled(let chunks):
            let listing = conversations.listings(of: blob).first
            step.writes.append(blobs.repair(blob, chunks: chunks, listedBy: listing))
            guard let listing else { break }
            let count = chunks.isEmpty ? listing.blob.chunkCount : chunks.count
            step.deliver(.blobDamaged(conversation: listing.conversation, blob, chunks: count))
        }
    }

    /// Asks links for the chunks of blobs that are missing.
    mutating func askForBlobs() {
        guard blobs.isMissingAny, !commits.isBlocked else { return }
        let asking = blobs.ask(
            limit: configuration.limits.blobFetches,
            at: step.now,
            links: { links.all.liveLinks(sharing: $0) },
            listings: { conversations.listings(of: $0) }
        )
        step.writes += asking.dropped.map(StoreWrite.blobDropped)
        links.all.ask(asking.asks, at: step.now)
    }
}
