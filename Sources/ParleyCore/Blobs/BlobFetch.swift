/// A blob that heads list and that is not complete here: which chunks are here, and who is asked.
struct BlobFetch: Sendable {
    /// The thing that a fetch waits for.
    enum Place: Sendable, Equatable {
        /// A link that can be asked.
        case waiting
        /// The chunks that a link was asked for.
        case asked
        /// A link that was not asked in vain, or the end of the back-off or pause.
        case backingOff(until: Moment)
        /// Its bytes are all here, and are being checked.
        case checking
    }

    /// How long a peer has for the next chunk before another one is asked.
    private static let patience = Interval.seconds(5)
    /// How long peers that did not have the blob are not asked again: the first and the longest
    /// back-off.
    private static let backoff = (first: Interval.seconds(1), longest: Interval.seconds(64))
    /// This many back-offs pass without a chunk before they become longer.
    private static let backoffsMax = 8
    /// Listings that are tried between two back-offs, if heads list the blob differently.
    private static let listingsMax = 8

    /// The conversation whose heads list the blob.
    private(set) var conversation: UInt32
    private(set) var size: UInt64
    var place = Place.waiting
    /// Indices of the chunks that are here.
    private(set) var chunks: Set<Int>
    /// The link that was asked for the missing chunks, and when the next one has to be here.
    private(set) var asked: (link: LinkID, until: Moment)?
    /// Links that sent chunks since the fetch began or the blob was found wrong.
    private(set) var sources: [LinkID] = []
    /// Whether an earlier process fetched some of the chunks, so that their source is unknown.
    private(set) var isOfEarlier: Bool
    /// Links that do not have the blob as it is listed, as far as is known; they are asked again
    /// after a back-off.
    private(set) var inVain: [LinkID] = []
    /// The links in `inVain` are not asked again before this moment.
    private(set) var backoffUntil: Moment?
    /// Back-offs since the last chunk or the last new member.
    private var backoffs = 0
    /// Listings that were tried since the last back-off.
    private var listingsTried = 1
    /// How often all chunks were here and the peers' bytes were wrong.
    private var timesForged = 0
    /// Nobody is asked before this moment, as the chunks were wrong more than once.
    private var pausedUntil: Moment?
    /// Whether all chunks are here and are to be checked.
    var isChecking = false
    /// Whether all chunks are on disk and are being read back for the check.
    ///
    /// Bytes of the blob that arrive before were asked for before the fetch began.
    var isReadBack = false

    init(_ listing: BlobListing, chunks: Set<Int> = []) {
        conversation = listing.conversation
        size = listing.blob.size
        self.chunks = chunks.intersection(0..<listing.blob.chunkCount)
        isOfEarlier = !self.chunks.isEmpty
    }

    var chunkCount: Int { BlobReference.chunkCount(size: size) }

    /// The chunks to ask for, ascending.
    var missing: [UInt64] {
        (0..<chunkCount).filter { !chunks.contains($0) }.map(UInt64.init)
    }

    var isPaused: Bool { pausedUntil != nil }

    /// Whether a link of the conversation is to be asked.
    func waits(in conversation: UInt32) -> Bool {
        place == .waiting && self.conversation == conversation
    }

    /// Whether the blob is fetched as it is listed there.
    func isOf(_ listing: BlobListing) -> Bool {
        listing.conversation == conversation && listing.blob.size == size
    }

    /// Whether the blob, as it is listed, has a chunk of this index.
    ///
    /// A peer may have been asked for others, as an earlier listing named a larger size.
    func mayHave(_ index: UInt64) -> Bool { index < UInt64(chunkCount) }

    /// Whether a chunk has the length that it must have.
    func fits(_ chunk: BlobChunk) -> Bool {
        let start = Int(chunk.index) * Limits.blobChunkBytes
        return chunk.bytes.count == min(Int(size) - start, Limits.blobChunkBytes)
    }

    /// Finds the place after a change.
    mutating func settle() {
        if isChecking {
            place = .checking
        } else if asked != nil {
            place = .asked
        } else if let pausedUntil {
            place = .backingOff(until: pausedUntil)
        } else if backoffUntil.map({ place != .backingOff(until: $0) }) ?? true {
            place = .waiting
        }
    }

    mutating func ask(_ link: LinkID, at now: Moment) {
        asked = (link, now + Self.patience)
        place = .asked
    }

    /// All links were asked in vain, for as many listings as are tried between two back-offs.
    ///
    /// If that took longer than the back-off, they are asked again at once.
    mutating func backOff(at now: Moment) {
        backoffs += 1
        listingsTried = 1
        if let backoffUntil, backoffUntil > now {
            place = .backingOff(until: backoffUntil)
        } else {
            backoffUntil = nil
            inVain = []
        }
    }

    mutating func chunkReceived(_ index: Int, from link: LinkID, at now: Moment) {
        chunks.insert(index)
        backoffs = 0
        if !sources.contains(link) { sources.append(link) }
        if let asked { ask(asked.link, at: now) }
    }

    /// The link does not have the blob: another one is asked, and those links are not asked for a
    /// while.
    mutating func refused(by link: LinkID, at now: Moment) {
        guard asked?.link == link else { return }
        asked = nil
        backOff(link, at: now)
    }

    /// Takes a listing that has its turn, as all links were asked in vain for the present one.
    ///
    /// - Returns: whether chunks are dropped, because this listing names another size.
    mutating func take(_ listing: BlobListing) -> Bool {
        listingsTried += 1
        conversation = listing.conversation
        inVain = []
        backoffUntil = nil
        guard listing.blob.size != size else { return false }
        size = listing.blob.size
        sources = []
        isOfEarlier = false
        defer { chunks = [] }
        return !chunks.isEmpty
    }

    /// The other listings, those first that come after the present one; none if as many were tried
    /// as may be between two back-offs.
    ///
    /// A fetch `isStranded` that has no link of its conversation; it may move in any case.
    func following(in listings: [BlobListing], isStranded: Bool) -> [BlobListing] {
        let next = listings.firstIndex { isOf($0) }.map { $0 + 1 } ?? 0
        let others = (listings[next...] + listings[..<next]).filter { !isOf($0) }
        let mayTryMore = listingsTried < min(others.count + 1, Self.listingsMax)
        return isStranded || mayTryMore ? others : []
    }

    /// A new member may have the blob, so that back-offs begin with the first length again.
    mutating func memberCame() {
        backoffs = 0
    }

    mutating func linkClosed(_ link: LinkID) {
        inVain.removeAll { $0 == link }
        if asked?.link == link { asked = nil }
    }

    /// Ends a back-off or pause that is over.
    ///
    /// After a pause those links are not asked that were asked in vain: the next listing has its
    /// turn, if there is one.
    mutating func endBackoff(at now: Moment) {
        if let pausedUntil {
            guard pausedUntil <= now else { return }
            self.pausedUntil = nil
            place = .waiting
        } else if let backoffUntil, backoffUntil <= now {
            self.backoffUntil = nil
            inVain = []
        }
    }

    /// Gives up on a link that did not deliver.
    mutating func retryOverdue(at now: Moment) {
        guard let asked, asked.until <= now, !isChecking else { return }
        refused(by: asked.link, at: now)
    }

    /// The bytes were wrong: all chunks have to come again, from another link if there is one.
    ///
    /// Another link is asked at once the first time. Later on there is a pause, longer each time,
    /// whoever comes: a forger may open one link after the other.
    ///
    /// - Returns: the link that sent all of them, nil if several did or an earlier process fetched
    ///   some, and if the last chunk is as long as the others: then an honest peer, whose blob is
    ///   longer than an author has listed it, sends the same.
    mutating func forged(at now: Moment) -> LinkID? {
        let isLastShorter = !size.isMultiple(of: UInt64(Limits.blobChunkBytes))
        let isOfOne = sources.count == 1 && !isOfEarlier && isLastShorter
        let forger = isOfOne ? sources[0] : nil
        startOver(at: now)
        timesForged += 1
        if timesForged > 1 { pausedUntil = now + Self.backoff(doubled: timesForged - 2) }
        return forger
    }

    /// The disk lost the bytes: all chunks have to come again, and no peer is to blame.
    mutating func unreadable(at now: Moment) { startOver(at: now) }

    private mutating func startOver(at now: Moment) {
        for source in sources { backOff(source, at: now) }
        sources = []
        isOfEarlier = false
        chunks = []
        isChecking = false
        isReadBack = false
        asked = nil
    }

    /// The disk damaged chunks after they were written: they have to come again.
    mutating func lost(_ damaged: [Int]) {
        chunks.subtract(damaged)
        isChecking = false
        isReadBack = false
        asked = nil
    }

    private mutating func backOff(_ link: LinkID, at now: Moment) {
        inVain.append(link)
        guard backoffUntil == nil else { return }
        backoffUntil = now + Self.backoff(doubled: backoffs + 1 - Self.backoffsMax)
    }

    /// The first back-off, doubled so many times.
    private static func backoff(doubled times: Int) -> Interval {
        min(backoff.first * (1 << min(max(0, times), 6)), backoff.longest)
    }
}
