/// The state of all blobs that heads list: what is complete, fetched, served or checked.
///
/// Legal transitions of a blob:
/// - listed `->` fetching, or complete if it was kept before
/// - fetching `->` checking, once every chunk is here; `-> fetching` again if the bytes are wrong
/// - checking `->` complete, once the bytes on disk have the hash that names the blob
/// - complete `->` doubted, while the blob is read back, because a peer or a program got no good
///   bytes or because a scrub is due; then complete or fetching again
/// - any state `->` dropped, with the last head that lists the blob
package struct BlobExchange: Sendable {
    /// The answer to a chunk that a peer sent.
    package enum ChunkAnswer: Sendable, Equatable {
        /// The link was not asked for the chunk, or the chunk is here already.
        case ignored
        /// The link does not have the blob, or has another length than the listing says.
        ///
        /// Another link is asked. After the last link, the next listing is tried.
        case refused
        /// The chunk is to be written, and others are missing.
        case kept(StoreWrite)
        /// The chunk is to be written and was the last one. The blob is checked after the write.
        case finished(StoreWrite)
    }

    /// The result of checking the bytes of a blob that were read back.
    package enum LoadAnswer: Sendable, Equatable {
        /// Nothing is to be done: the bytes are for another reader, or a doubted blob is whole.
        case nothing
        /// The hash of the bytes is the name of the blob: the blob is complete.
        case finished(conversation: UInt32)
        /// The bytes are wrong: the chunks are to be deleted. A link that sent all of them is to be
        /// refused.
        case forged(by: LinkID?)
        /// The disk damaged chunks during the fetch; they are to be deleted and fetched again.
        case lost(chunks: [Int])
        /// Chunks of a complete blob are damaged on disk; an empty list means all. The blob needs
        /// repair.
        case spoiled(chunks: [Int])
    }

    /// Chunks to ask of a link.
    package struct Ask: Sendable, Equatable {
        package let link: LinkID
        package let conversation: UInt32
        package let blob: BlobID
        package let chunks: [UInt64]

        package init(link: LinkID, conversation: UInt32, blob: BlobID, chunks: [UInt64]) {
            self.link = link
            self.conversation = conversation
            self.blob = blob
            self.chunks = chunks
        }
    }

    /// The chunks to ask for, and the blobs to delete because another size is tried.
    package struct Asking: Sendable, Equatable {
        package internal(set) var asks: [Ask] = []
        package internal(set) var dropped: [BlobID] = []
    }

    var complete: Set<BlobID> = []
    var fetches = BlobFetchTable()
    /// How many heads of all conversations list a blob.
    private var listings: [BlobID: Int] = [:]
    /// Chunks on disk of blobs that no head has listed since the start.
    private var partial: [BlobID: Set<Int>] = [:]
    /// Complete blobs that are being read back to be checked.
    var doubted: Set<BlobID> = []
    var scrub = BlobScrub()
    /// Blobs to read back and check, each once its commit is done.
    private var toCheck: [(ticket: Ticket, blob: BlobID)] = []
    /// Complete blobs that are on their way to the disk.
    private var unstored: [(ticket: Ticket, blob: BlobID)] = []
    /// The chunks that links asked for, ascending by link.
    var queues: [BlobQueue] = []

    package init() {}

    /// Takes in the blobs of the data directory.
    package mutating func recover(_ blobs: [BlobID: RecoveredBlob]) {
        for (id, blob) in blobs {
            if blob.isComplete { complete.insert(id) } else { partial[id] = blob.chunks }
        }
    }

    /// Drops the blobs on disk that no head lists, and names them in order.
    package mutating func dropUnlisted() -> [BlobID] {
        let unlisted = complete.union(partial.keys).filter { listings[$0] == nil }.sorted()
        for blob in unlisted { drop(blob) }
        return unlisted
    }

    package var isMissingAny: Bool { !fetches.isEmpty }

    package func isComplete(_ blob: BlobID) -> Bool { complete.contains(blob) }

    /// Whether the blob is complete and not yet on disk, so that no peer should hear of it.
    package func isOnItsWayToDisk(_ blob: BlobID) -> Bool {
        unstored.contains { $0.blob == blob }
    }

    /// The complete blobs that are not on disk yet.
    package var onTheirWayToDisk: [BlobID] { unstored.map(\.blob) }

    // MARK: Listing

    /// A head lists the blob.
    package mutating func list(_ blob: BlobReference, conversation: UInt32) {
        listings[blob.id, default: 0] += 1
        guard !complete.contains(blob.id), fetches[blob.id] == nil else { return }
        let chunks = partial.removeValue(forKey: blob.id) ?? []
        let listing = BlobListing(conversation: conversation, blob: blob)
        let fetch = BlobFetch(listing, chunks: chunks)
        fetches.add(blob.id, fetch)
        // An earlier process fetched all of it and ended before the check.
        if fetch.missing.isEmpty { check(blob.id, after: Ticket(0)) }
    }

    /// A head that listed the blob was replaced or dropped.
    ///
    /// - Returns: whether no head lists the blob any more, so that it was dropped.
    package mutating func unlist(_ blob: BlobID) -> Bool {
        guard let count = listings[blob] else { return false }
        listings[blob] = count > 1 ? count - 1 : nil
        guard count == 1 else { return false }
        drop(blob)
        return true
    }

    /// Heads that listed the blobs were replaced or dropped: deletes the blobs that no head lists.
    package mutating func unlist(_ blobs: [BlobReference], into step: inout Step) {
        for blob in blobs where unlist(blob.id) { step.writes.append(.blobDropped(blob.id)) }
    }

    /// Forgets the blob, in whatever state it is.
    package mutating func drop(_ blob: BlobID) {
        complete.remove(blob)
        doubted.remove(blob)
        partial[blob] = nil
        toCheck.removeAll { $0.blob == blob }
        fetches.remove(blob)
    }

    /// Keeps a blob that was sealed here, and returns the writes for the commit `ticket`.
    package mutating func store(
        _ sealed: Slice,
        as blob: BlobReference,
        with ticket: Ticket
    ) -> [StoreWrite] {
        var writes: [StoreWrite] = []
        for index in 0..<blob.chunkCount {
            let start = index * Limits.blobChunkBytes
            let end = min(start + Limits.blobChunkBytes, sealed.count)
            let chunk = sealed[start..<end]
            writes.append(.blobChunk(blob.id, index: index, chunks: blob.chunkCount, chunk))
        }
        writes.append(.blobCompleted(blob.id))
        completed(blob.id, with: ticket)
        return writes
    }

    private mutating func completed(_ blob: BlobID, with ticket: Ticket) {
        drop(blob)
        complete.insert(blob)
        unstored.append((ticket, blob))
    }

    // MARK: Fetching

    /// The chunks to ask for now, of at most `limit` blobs at a time.
    ///
    /// `links` gives the live links that share a conversation, and `listings` all listings of a
    /// blob. If all links were asked in vain, the next listing is tried, perhaps in another
    /// conversation or with another size.
    package mutating func ask(
        limit: Int,
        at now: Moment,
        links: (_ conversation: UInt32) -> [LinkID],
        listings: (BlobID) -> [BlobListing]
    ) -> Asking {
        fetches.ask(limit: limit, at: now, links: links, listings: listings)
    }

    /// A peer sent a chunk, whose write belongs to the commit `ticket`.
    package mutating func chunkReceived(
        _ chunk: BlobChunk,
        from link: LinkID,
        at now: Moment,
        with ticket: Ticket
    ) -> ChunkAnswer {
        guard let fetch = fetches[chunk.blob], !fetch.isChecking, fetch.asked?.link == link,
            fetch.mayHave(chunk.index)
        else { return .ignored }
        // The peer may be honest: perhaps the author of the listing named a wrong size.
        guard !chunk.bytes.isEmpty, fetch.fits(chunk) else {
            fetches.change(chunk.blob) { $0.refused(by: link, at: now) }
            return .refused
        }
        let index = Int(chunk.index)
        guard !fetch.chunks.contains(index) else { return .ignored }
        fetches.change(chunk.blob) { $0.chunkReceived(index, from: link, at: now) }
        let bytes = chunk.bytes.compacted()
        let write = StoreWrite.blobChunk(
            chunk.blob,
            index: index,
            chunks: fetch.chunkCount,
            bytes
        )
        guard fetches[chunk.blob]?.missing.isEmpty == true else { return .kept(write) }
        check(chunk.blob, after: ticket)
        return .finished(write)
    }

    /// A new member may have missing blobs.
    package mutating func memberCame() {
        fetches.memberCame()
    }

    /// Whether chunks are on their way on a link, in either direction.
    package func isUsed(_ link: LinkID) -> Bool {
        fetches.isAsked(link) || queues.contains { $0.link == link && !$0.isIdle }
    }

    package mutating func linkClosed(_ link: LinkID) {
        fetches.linkClosed(link)
        queues.removeAll { $0.link == link }
    }

    /// Gives up on peers that did not deliver in time.
    package mutating func retryOverdue(at now: Moment) {
        fetches.retryOverdue(at: now)
    }

    /// The moment at which `retryOverdue` has something to do.
    package var deadline: Moment? { fetches.deadline }

    // MARK: Checking

    private mutating func check(_ blob: BlobID, after ticket: Ticket) {
        fetches.change(blob) { $0.isChecking = true }
        toCheck.append((ticket, blob))
    }

    /// The writes up to `ticket` are on disk.
    ///
    /// - Returns: the blobs to read back now.
    package mutating func committed(_ ticket: Ticket) -> [BlobID] {
        let ready = toCheck.prefix { $0.ticket <= ticket }.map(\.blob)
        toCheck.removeFirst(ready.count)
        unstored.removeAll { $0.ticket <= ticket }
        for blob in ready { fetches.change(blob) { $0.isReadBack = true } }
        return ready.filter { fetches[$0] != nil }
    }

    /// A blob was read back: compares the hash of its bytes with its name.
    ///
    /// `ticket` is the commit of the writes that the answer asks for.
    package mutating func loaded(
        _ blob: BlobID,
        _ stored: StoredBlob,
        at now: Moment,
        with ticket: Ticket,
        using crypto: some Cryptography
    ) -> LoadAnswer {
        guard doubted.remove(blob) == nil else { return check(blob, stored, using: crypto) }
        guard let fetch = fetches[blob], fetch.isReadBack else { return .nothing }
        switch stored {
        case .whole(let bytes)
        where bytes.count == Int(fetch.size) && BlobID(crypto.sha256(bytes)) == blob:
            completed(blob, with: ticket)
            return .finished(conversation: fetch.conversation)
        case .whole:
            return .forged(by: fetches.change(blob) { $0.forged(at: now) } ?? nil)
        case .damaged(let chunks) where chunks.contains { fetch.chunks.contains($0) }:
            fetches.change(blob) { $0.lost(chunks) }
            return .lost(chunks: chunks)
        // The store knows more chunks than the listing: an earlier process used another listing.
        case .damaged:
            fetches.change(blob) { $0.unreadable(at: now) }
            return .forged(by: nil)
        case .notFound, .unreadable:
            fetches.change(blob) { $0.unreadable(at: now) }
            return .forged(by: nil)
        }
    }
}
