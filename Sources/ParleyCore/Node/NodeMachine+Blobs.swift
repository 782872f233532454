extension NodeMachine {
    // MARK: Which blobs are needed

    mutating func list(_ blob: BlobReference, slot: Int) {
        conversations[slot].listedBlobs[blob.id, default: 0] += 1
        blobs.list(blob, conversation: conversations[slot].number)
    }

    mutating func unlist(_ blob: BlobReference, slot: Int) {
        if let count = conversations[slot].listedBlobs[blob.id] {
            conversations[slot].listedBlobs[blob.id] = count > 1 ? count - 1 : nil
        }
        if blobs.unlist(blob.id) { drop(blob.id) }
    }

    mutating func drop(_ blob: BlobID) {
        blobs.drop(blob)
        turn.writes.append(.blobDropped(blob))
    }

    /// Keeps a blob that was sealed here.
    mutating func store(_ sealed: Slice, as reference: BlobReference) {
        let count = reference.chunkCount
        for index in 0..<count {
            let start = index * Limits.blobChunkBytes
            let end = min(start + Limits.blobChunkBytes, sealed.count)
            turn.writes.append(
                .blobChunk(reference.id, index: index, chunks: count, sealed[start..<end])
            )
        }
        turn.writes.append(.blobCompleted(reference.id))
        turn.envelopeBytes += sealed.count
        blobs.completed(reference.id, with: commits.next)
    }

    // MARK: Fetching

    /// Asks peers for blobs that are missing here, and sends what they asked for.
    mutating func pumpBlobs(on index: Int) {
        let member = links[index].id
        while links[index].blobs.reading + links[index].blobs.ready.count
            < LinkBlobs.readAhead, let next = links[index].blobs.wanted.first,
            !blobs.isOnItsWayToDisk(next.blob)
        {
            let (conversation, blob, chunk) = links[index].blobs.wanted.removeFirst()
            links[index].blobs.reading += 1
            turn.effects.reads.append(
                .blobChunk(
                    BlobChunkRead(
                        link: member,
                        conversation: conversation,
                        blob: blob,
                        index: chunk
                    )
                )
            )
        }
        while let chunk = links[index].blobs.ready.first,
            links[index].outbox.pending < configuration.limits.outboxBytes,
            links[index].sendCredit.allowsBlob(chunk.bytes.count)
        {
            links[index].blobs.ready.removeFirst()
            links[index].blobs.serves(chunk.blob)
            links[index].outbox.append(.blobChunk(chunk))
            links[index].sendCredit.blobsSent += UInt64(chunk.bytes.count)
            links[index].liveness.expectsAnswer(at: turn.now)
        }
    }

    mutating func askForBlobs() {
        guard !commits.isBlocked, blobs.isMissingAny else { return }
        let links = links
        let asks = blobs.ask(limit: configuration.limits.blobFetches, at: turn.now) { fetch in
            links.indices.first {
                links[$0].isLive && links[$0].share(ofConversation: fetch.conversation) != nil
                    && !fetch.inVain.contains(links[$0].id)
            }.map { links[$0].id }
        }
        askForBlobs(asks)
    }

    private mutating func askForBlobs(
        _ asks: [(blob: BlobID, fetch: BlobTable.Fetch, link: LinkID)]
    ) {
        for (blob, fetch, link) in asks {
            guard let index = linkIndex(link),
                let share = links[index].share(ofConversation: fetch.conversation)
            else { continue }
            links[index].outbox.append(
                .blobWant(
                    BlobWant(
                        conversation: links[index].shares[share].ownNumber,
                        blob: blob,
                        chunks: fetch.missing
                    )
                )
            )
            links[index].liveness.expectsAnswer(at: turn.now)
        }
    }

    mutating func blobChunkReceived(_ chunk: BlobChunk, on index: Int) throws(Refusal) {
        guard links[index].grant.blobReceived(chunk.bytes.count) else {
            throw .overLimit("blob bytes beyond the credit")
        }
        guard let fetch = blobs.fetches[chunk.blob], !fetch.isChecking,
            fetch.asked?.link == links[index].id
        else { return }
        guard !chunk.bytes.isEmpty else {
            blobs.refused(chunk.blob, by: links[index].id, at: turn.now)
            return
        }
        guard chunk.index < UInt64(fetch.chunkCount),
            chunk.bytes.count == fetch.chunkBytes(at: Int(chunk.index))
        else {
            // Whoever listed it may have lied about its size: the peer may be honest.
            blobs.refused(chunk.blob, by: links[index].id, at: turn.now)
            return
        }
        let place = Int(chunk.index)
        guard !fetch.chunks.contains(place) else { return }
        turn.writes.append(
            .blobChunk(
                chunk.blob,
                index: place,
                chunks: fetch.chunkCount,
                chunk.bytes.compacted()
            )
        )
        turn.envelopeBytes += chunk.bytes.count
        links[index].broughtNews = turn.now
        blobs.chunkReceived(chunk.blob, index: place, from: links[index].id, at: turn.now)
        if blobs.fetches[chunk.blob]?.missing.isEmpty == true {
            blobs.check(chunk.blob, after: commits.next)
        }
    }

    /// All chunks of a blob were read back: checks that it is what its name says.
    mutating func blobLoaded(_ blob: BlobID, _ bytes: Slice?) {
        if blobs.wasDoubted(blob) { return rechecked(blob, bytes) }
        guard let fetch = blobs.fetches[blob], fetch.isReadBack else { return }
        guard let bytes, bytes.count == Int(fetch.size),
            BlobID(crypto.sha256(bytes)) == blob
        else {
            turn.writes.append(.blobDropped(blob))
            if let link = blobs.spoiled(blob, at: turn.now), let index = linkIndex(link) {
                refuse(.badBlob, on: index)
            }
            return
        }
        blobs.completed(blob, with: commits.next)
        turn.writes.append(.blobCompleted(blob))
        commits.afterNext(.blobArrived(conversation: fetch.conversation, blob))
    }

    // MARK: Serving

    /// A peer wants chunks: only of what a head of that conversation lists.
    mutating func blobWanted(_ want: BlobWant, on index: Int) throws(Refusal) {
        guard let share = try shareIndex(ofPeerNumber: want.conversation, on: index),
            let slot = conversationIndex(links[index].shares[share].conversation)
        else { return }
        let ownNumber = links[index].shares[share].ownNumber
        guard conversations[slot].listedBlobs[want.blob] != nil, blobs.isComplete(want.blob)
        else {
            links[index].outbox.append(
                .blobChunk(
                    BlobChunk(
                        conversation: ownNumber,
                        blob: want.blob,
                        index: 0,
                        bytes: .empty
                    )
                )
            )
            return
        }
        guard links[index].blobs.wanted.count + want.chunks.count <= LinkBlobs.wantedMax else {
            throw .overLimit("more chunks wanted than may wait")
        }
        for chunk in want.chunks {
            links[index].blobs.wanted.append((ownNumber, want.blob, Int(chunk)))
        }
    }

    mutating func blobChunkLoaded(_ read: BlobChunkRead, _ bytes: Slice?) {
        guard let index = linkIndex(read.link) else { return }
        links[index].blobs.reading -= 1
        links[index].blobs.ready.append(
            BlobChunk(
                conversation: read.conversation,
                blob: read.blob,
                index: UInt64(read.index),
                bytes: bytes ?? .empty
            )
        )
    }
}
