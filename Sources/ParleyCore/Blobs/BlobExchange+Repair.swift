/// Finding and repairing complete blobs that the disk damaged.
extension BlobExchange {
    /// Makes the first pass over the complete blobs due.
    package mutating func startScrub(at now: Moment) {
        scrub.start(at: now)
    }

    /// The moment at which a read of `nextToScrub` is due.
    package var scrubDeadline: Moment? { complete.isEmpty ? nil : scrub.due }

    /// The next blob to read back, if a read is due.
    package mutating func nextToScrub(at now: Moment, limits: Limits) -> BlobID? {
        guard !complete.isEmpty,
            let blob = scrub.next(
                of: complete,
                besides: onTheirWayToDisk,
                at: now,
                limits: limits
            )
        else { return nil }
        doubted.insert(blob)
        return blob
    }

    /// Reads back the next blob if a read is due.
    package mutating func scrubNext(limits: Limits, into step: inout Step) {
        guard let blob = nextToScrub(at: step.now, limits: limits) else { return }
        step.effects.reads.append(.blob(blob))
    }

    /// A blob was read back, by the scrub or for another reason.
    package mutating func scrubbed(
        _ blob: BlobID,
        _ stored: StoredBlob,
        at now: Moment,
        limits: Limits
    ) {
        scrub.read(blob, bytes: stored.bytes?.count ?? 0, at: now, limits: limits)
    }

    /// A peer or a program did not get the bytes of a blob that should be complete.
    ///
    /// - Returns: whether to read the blob back for a check.
    package mutating func doubt(_ blob: BlobID) -> Bool {
        complete.contains(blob) && !isOnItsWayToDisk(blob) && doubted.insert(blob).inserted
    }

    /// Reads back a blob that should be complete, but whose bytes a peer or a program did not get.
    package mutating func doubt(_ blob: BlobID, into step: inout Step) {
        if doubt(blob) { step.effects.reads.append(.blob(blob)) }
    }

    /// A peer reports forged bytes on a link; perhaps the disk has damaged a blob.
    ///
    /// - Returns: the blobs to read back for a check.
    package mutating func doubtServed(on link: LinkID) -> [BlobID] {
        let served = queues.first { $0.link == link }?.served ?? []
        return served.filter { doubt($0) }
    }

    /// Reads back the blobs that were served on a link, after its peer has reported forged bytes.
    package mutating func doubtServed(on link: LinkID, into step: inout Step) {
        step.effects.reads += doubtServed(on: link).map(StoreRead.blob)
    }

    /// Checks a complete blob that was read back.
    func check(
        _ blob: BlobID,
        _ stored: StoredBlob,
        using crypto: some Cryptography
    ) -> LoadAnswer {
        switch stored {
        case .whole(let bytes):
            return BlobID(crypto.sha256(bytes)) == blob ? .nothing : .spoiled(chunks: [])
        case .damaged(let chunks): return .spoiled(chunks: chunks)
        case .notFound: return .spoiled(chunks: [])
        // A blob that cannot be read now may be whole, and stays.
        case .unreadable: return .nothing
        }
    }

    /// Deletes damaged chunks of a complete blob, or the whole blob if `chunks` is empty.
    ///
    /// They are fetched again as long as a head lists the blob.
    ///
    /// - Returns: the write that deletes the chunks or the blob.
    package mutating func repair(
        _ blob: BlobID,
        chunks: [Int],
        listedBy listing: BlobListing?
    ) -> StoreWrite {
        guard let listing else {
            drop(blob)
            return .blobDropped(blob)
        }
        complete.remove(blob)
        let sound = Set(0..<listing.blob.chunkCount).subtracting(chunks)
        let isPartial = !chunks.isEmpty && sound.count < listing.blob.chunkCount && !sound.isEmpty
        fetches.add(blob, BlobFetch(listing, chunks: isPartial ? sound : []))
        return isPartial ? .blobChunksDropped(blob, chunks) : .blobDropped(blob)
    }
}
