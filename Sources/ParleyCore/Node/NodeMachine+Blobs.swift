/// Carries out the answers of `BlobExchange`: frames, writes and reads.
extension NodeMachine {
    /// Heads that listed the blobs were replaced or dropped.
    mutating func unlist(_ references: [BlobReference]) {
        for blob in references where blobs.unlist(blob.id) {
            step.writes.append(.blobDropped(blob.id))
        }
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
            guard let link, let index = links.index(of: link) else { break }
            links.refuse(.badBlob, on: index, into: &step)
        case .spoiled:
            step.writes.append(.blobDropped(blob))
            blobs.repair(blob, listedBy: conversations.listing(of: blob))
        }
    }

    /// A peer asks for chunks of a blob.
    mutating func blobWanted(
        _ want: BlobWant,
        of conversation: Int,
        _ replication: LinkTable.ReplicationIndex
    ) throws(Refusal) {
        let answer = blobs.wanted(
            want,
            by: links[replication.link].id,
            conversation: links[replication].ownNumber,
            isListed: conversations[conversation].listedBlobs[want.blob] != nil
        )
        switch answer {
        case .queued: break
        case .notFound(let chunk): links[replication.link].outbox.append(.blobChunk(chunk))
        case .overLimit: throw .overLimit("more chunks wanted than may wait")
        }
    }
}
