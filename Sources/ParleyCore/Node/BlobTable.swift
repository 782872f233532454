/// The blobs that heads list: which are here, and which are being fetched from whom.
struct BlobTable: Sendable {
    /// How long a peer has for the next chunk before another one is asked.
    static let patience = Interval.seconds(5)
    /// How long those who did not have a blob are left alone, at first and at last.
    static let rest = (first: Interval.seconds(1), last: Interval.seconds(64))
    /// So often nobody may have it before the rests become longer.
    static let restsMax = 8

    /// A blob that is listed and not complete.
    struct Fetch: Sendable {
        /// The conversation whose heads list it.
        let conversation: UInt32
        let size: UInt64
        /// Chunks that are here.
        var chunks: Set<Int>
        /// Who was asked for the rest, and until when the next chunk has to be here.
        var asked: (link: LinkID, until: Moment)?
        /// Who sent chunks of it since it was begun or found wrong.
        var sources: [LinkID] = []
        /// Whether an earlier process fetched some of it, nobody knows from whom.
        var isOfEarlier = false
        /// Who does not have it, as far as is known; asked again after a while.
        var inVain: [LinkID] = []
        /// They are not asked again before this moment.
        var restUntil: Moment?
        /// How often they were left alone since there was hope.
        var rests = 0
        /// All chunks are here and are to be checked.
        var isChecking = false
        /// They are on disk and are being read back: what is read back otherwise was asked for
        /// before the fetch began.
        var isReadBack = false

        var chunkCount: Int { (Int(size) + Limits.blobChunkBytes - 1) / Limits.blobChunkBytes }

        /// A link has it not; all such links are left alone for a while.
        mutating func refused(by link: LinkID, at now: Moment) {
            inVain.append(link)
            guard restUntil == nil else { return }
            rests += 1
            let doublings = min(max(0, rests - BlobTable.restsMax), 6)
            restUntil = now + min(BlobTable.rest.first * (1 << doublings), BlobTable.rest.last)
        }

        /// The chunks to ask for, ascending.
        var missing: [UInt64] {
            (0..<chunkCount).filter { !chunks.contains($0) }.map(UInt64.init)
        }

        /// The length that the chunk at `index` must have, in bytes.
        func chunkBytes(at index: Int) -> Int {
            index == chunkCount - 1
                ? Int(size) - index * Limits.blobChunkBytes : Limits.blobChunkBytes
        }
    }

    private(set) var complete: Set<BlobID> = []
    private(set) var fetches: [BlobID: Fetch] = [:]
    /// In the order in which they were listed.
    private var order: [BlobID] = []
    /// How many heads of all conversations list a blob.
    private var listings: [BlobID: Int] = [:]
    /// What a data directory held before anything was listed.
    private var partial: [BlobID: Set<Int>] = [:]
    /// Complete ones that are being read back, because somebody doubts them.
    private var doubted: Set<BlobID> = []
    private var toCheck: [(ticket: Ticket, blob: BlobID)] = []
    /// Complete ones that are on their way to the disk.
    private var unstored: [(ticket: Ticket, blob: BlobID)] = []

    mutating func recover(_ blobs: [BlobID: RecoveredBlob]) {
        for (id, blob) in blobs {
            if blob.isComplete { complete.insert(id) } else { partial[id] = blob.chunks }
        }
    }

    /// What is on disk and nobody lists, in order.
    func unlisted() -> [BlobID] {
        (complete.union(partial.keys)).filter { listings[$0] == nil }.sorted()
    }

    var isMissingAny: Bool { !order.isEmpty }

    func isComplete(_ blob: BlobID) -> Bool { complete.contains(blob) }

    /// A head lists the blob.
    mutating func list(_ blob: BlobReference, conversation: UInt32) {
        listings[blob.id, default: 0] += 1
        guard !complete.contains(blob.id), fetches[blob.id] == nil else { return }
        var fetch = Fetch(
            conversation: conversation,
            size: blob.size,
            chunks: partial.removeValue(forKey: blob.id) ?? []
        )
        fetch.chunks.formIntersection(0..<fetch.chunkCount)
        fetch.isOfEarlier = !fetch.chunks.isEmpty
        fetches[blob.id] = fetch
        order.append(blob.id)
        // An earlier process had all of it and did not come to check it.
        if fetch.missing.isEmpty { check(blob.id, after: Ticket(0)) }
    }

    /// A head that listed the blob is gone.
    ///
    /// - Returns: whether it was the last one, so that the blob is of no use.
    mutating func unlist(_ blob: BlobID) -> Bool {
        guard let count = listings[blob] else { return false }
        listings[blob] = count > 1 ? count - 1 : nil
        return count == 1
    }

    mutating func drop(_ blob: BlobID) {
        complete.remove(blob)
        doubted.remove(blob)
        partial[blob] = nil
        toCheck.removeAll { $0.blob == blob }
        guard fetches.removeValue(forKey: blob) != nil else { return }
        order.removeAll { $0 == blob }
    }

    /// All of it is on disk once `ticket` is, and its hash is right.
    mutating func completed(_ blob: BlobID, with ticket: Ticket) {
        drop(blob)
        complete.insert(blob)
        unstored.append((ticket, blob))
    }

    /// A complete blob is to be read back; false if there is none, or it is being read already.
    mutating func recheck(_ blob: BlobID) -> Bool {
        complete.contains(blob) && !isOnItsWayToDisk(blob) && doubted.insert(blob).inserted
    }

    /// Whether a blob that was read back is one that was in doubt, which it is no longer.
    mutating func wasDoubted(_ blob: BlobID) -> Bool { doubted.remove(blob) != nil }

    /// A complete blob turned out to be spoiled.
    mutating func fetchAnew(_ blob: BlobReference, conversation: UInt32) {
        complete.remove(blob.id)
        fetches[blob.id] = Fetch(conversation: conversation, size: blob.size, chunks: [])
        order.append(blob.id)
    }

    /// Whether it is complete and not yet on disk, so that nobody should be told of it.
    func isOnItsWayToDisk(_ blob: BlobID) -> Bool {
        unstored.contains { $0.blob == blob }
    }

    /// Its bytes were wrong: everything has to come again, if there is a choice from somebody else.
    ///
    /// - Returns: who sent all of it, nil if several did, or an earlier process fetched some.
    mutating func spoiled(_ blob: BlobID, at now: Moment) -> LinkID? {
        let sources = fetches[blob]?.sources ?? []
        let isOfOne = sources.count == 1 && fetches[blob]?.isOfEarlier == false
        fetches[blob]?.isOfEarlier = false
        fetches[blob]?.chunks = []
        fetches[blob]?.sources = []
        fetches[blob]?.isChecking = false
        fetches[blob]?.isReadBack = false
        fetches[blob]?.asked = nil
        for source in sources { fetches[blob]?.refused(by: source, at: now) }
        return isOfOne ? sources[0] : nil
    }

    mutating func chunkReceived(
        _ blob: BlobID,
        index: Int,
        from link: LinkID,
        at now: Moment
    ) {
        fetches[blob]?.chunks.insert(index)
        fetches[blob]?.rests = 0
        if fetches[blob]?.sources.contains(link) == false { fetches[blob]?.sources.append(link) }
        if let asked = fetches[blob]?.asked {
            fetches[blob]?.asked = (asked.link, now + Self.patience)
        }
    }

    /// Every chunk is here; they are read back and checked once `ticket` is done.
    mutating func check(_ blob: BlobID, after ticket: Ticket) {
        fetches[blob]?.isChecking = true
        toCheck.append((ticket, blob))
    }

    /// The blobs to read back now.
    mutating func committed(_ ticket: Ticket) -> [BlobID] {
        let ready = toCheck.prefix { $0.ticket <= ticket }.map(\.blob)
        toCheck.removeFirst(ready.count)
        unstored.removeAll { $0.ticket <= ticket }
        for blob in ready { fetches[blob]?.isReadBack = true }
        return ready.filter { fetches[$0] != nil }
    }

    /// A link has it not, or not any more.
    mutating func refused(_ blob: BlobID, by link: LinkID, at now: Moment) {
        guard fetches[blob]?.asked?.link == link else { return }
        fetches[blob]?.asked = nil
        fetches[blob]?.refused(by: link, at: now)
    }

    /// Somebody new may have what others do not.
    mutating func memberCame() {
        for blob in order { fetches[blob]?.rests = 0 }
    }

    mutating func linkClosed(_ link: LinkID) {
        for blob in order {
            fetches[blob]?.inVain.removeAll { $0 == link }
            if fetches[blob]?.asked?.link == link { fetches[blob]?.asked = nil }
        }
    }

    /// Lets go of peers that were asked and did not deliver.
    mutating func retryOverdue(at now: Moment) {
        for blob in order {
            if let rest = fetches[blob]?.restUntil, rest <= now {
                fetches[blob]?.restUntil = nil
                fetches[blob]?.inVain = []
            }
            guard let asked = fetches[blob]?.asked, asked.until <= now,
                fetches[blob]?.isChecking == false
            else { continue }
            refused(blob, by: asked.link, at: now)
        }
    }

    /// When a peer that was asked is overdue.
    var deadline: Moment? {
        order.compactMap { blob in
            guard let fetch = fetches[blob], !fetch.isChecking else { return nil }
            return fetch.asked?.until ?? fetch.restUntil
        }.min()
    }

    /// Blobs to ask for now, at most `limit` at a time under way; `holder` names whom.
    mutating func ask(
        limit: Int,
        at now: Moment,
        holder: (Fetch) -> LinkID?
    ) -> [(blob: BlobID, fetch: Fetch, link: LinkID)] {
        var underWay = order.count { fetches[$0]?.asked != nil }
        var asks: [(blob: BlobID, fetch: Fetch, link: LinkID)] = []
        for blob in order where underWay < limit {
            guard var fetch = fetches[blob], fetch.asked == nil, !fetch.isChecking,
                let link = holder(fetch)
            else { continue }
            fetch.asked = (link, now + Self.patience)
            fetches[blob] = fetch
            underWay += 1
            asks.append((blob, fetch, link))
        }
        return asks
    }
}

/// What one peer wants of blobs here.
struct LinkBlobs: Sendable {
    /// Chunks asked for, in order.
    var wanted: [(conversation: UInt32, blob: BlobID, index: Int)] = []
    /// Being read from disk.
    var reading = 0
    /// Read, and waiting for credit and room.
    var ready: [BlobChunk] = []
    /// The blobs of which chunks were sent last.
    private(set) var served: [BlobID] = []

    /// Chunks that a peer may ask for at a time.
    static let wantedMax = 1_024
    /// Chunks read ahead for one peer.
    static let readAhead = 2
    /// Blobs that are remembered as sent.
    private static let servedMax = 16

    mutating func serves(_ blob: BlobID) {
        guard !served.contains(blob) else { return }
        if served.count == Self.servedMax { served.removeFirst() }
        served.append(blob)
    }
}
