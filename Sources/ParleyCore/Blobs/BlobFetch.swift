/// The fetch of a blob that heads list: the chunks already here, and the links already asked.
struct BlobFetch: Sendable {
    /// The thing that a fetch waits for.
    enum Place: Sendable, Equatable {
        /// A link to ask.
        case waiting
        /// Chunks from a link.
        case asked
        /// A further link, or the end of the back-off or pause.
        case backingOff(until: Moment)
        /// The check of the blob, all of whose chunks are here.
        case checking
    }

    /// The time that a peer has for the next chunk; then another peer is asked.
    private static let patience = Interval.seconds(5)
    /// The first and the longest time for which peers without the blob are not asked again.
    private static let backoff = (first: Interval.seconds(1), longest: Interval.seconds(64))
    /// This many back-offs pass without a chunk before they become longer.
    private static let backoffsMax = 8
    /// Listings that are tried between two back-offs.
    private static let listingsMax = 8

    /// The conversation of the listing.
    private(set) var conversation: UInt32
    private(set) var size: UInt64
    var place = Place.waiting
    /// Indices of the chunks that are here.
    private(set) var chunks: Set<Int>
    /// The link that was asked for the missing chunks, and the deadline of the next chunk.
    private(set) var asked: (link: LinkID, until: Moment)?
    /// Links that sent chunks, since the fetch began or the bytes were found wrong.
    private(set) var sources: [LinkID] = []
    /// Whether an earlier process fetched some of the chunks, from an unknown source.
    private(set) var isOfEarlier: Bool
    /// Links that apparently lack the blob as listed, left alone until the back-off ends.
    private(set) var inVain: [LinkID] = []
    /// The links in `inVain` are not asked again before this moment.
    private(set) var backoffUntil: Moment?
    /// Back-offs since the last chunk or the last new member.
    private var backoffs = 0
    /// Listings that were tried since the last back-off.
    private var listingsTried = 1
    /// How often the peers' bytes turned out to be wrong.
    private var timesForged = 0
    /// Nobody is asked before this moment, because the bytes were wrong more than once.
    private var pausedUntil: Moment?
    /// Whether all chunks are here and are to be checked.
    var isChecking = false
    /// Whether all chunks are on disk and are being read back for the check.
    ///
    /// Bytes that are read before then are for another reader.
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

    /// Whether the fetch follows this listing.
    func isOf(_ listing: BlobListing) -> Bool {
        listing.conversation == conversation && listing.blob.size == size
    }

    /// Whether the blob as listed has a chunk with this index.
    ///
    /// A link may answer an earlier request, for a listing with a larger size.
    func mayHave(_ index: UInt64) -> Bool { index < UInt64(chunkCount) }

    /// Whether a chunk has the right length for its index.
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

    /// All links were asked in vain, and no further listing is tried before the back-off.
    ///
    /// If the back-off is already over, the links are asked again at once.
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

    /// The link does not have the blob: another link is asked, and this one only after a back-off.
    mutating func refused(by link: LinkID, at now: Moment) {
        guard asked?.link == link else { return }
        asked = nil
        backOff(link, at: now)
    }

    /// Changes over to the next listing, because all links were asked in vain for the present one.
    ///
    /// - Returns: whether chunks are dropped, because the new listing names another size.
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

    /// The listings to try next, from the one after the present listing on.
    ///
    /// The list is empty when enough listings were tried since the last back-off. A stranded fetch,
    /// whose conversation has no link, may always change over.
    func following(in listings: [BlobListing], isStranded: Bool) -> [BlobListing] {
        let next = listings.firstIndex { isOf($0) }.map { $0 + 1 } ?? 0
        let others = (listings[next...] + listings[..<next]).filter { !isOf($0) }
        let mayTryMore = listingsTried < min(others.count + 1, Self.listingsMax)
        return isStranded || mayTryMore ? others : []
    }

    /// A new member may have the blob: back-offs begin with the first length again.
    mutating func memberCame() {
        backoffs = 0
    }

    mutating func linkClosed(_ link: LinkID) {
        inVain.removeAll { $0 == link }
        if asked?.link == link { asked = nil }
    }

    /// Ends a back-off or pause that is over.
    ///
    /// The end of a pause leaves `inVain` alone: the next listing is tried, if any.
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

    /// Gives up on a link that did not deliver in time.
    mutating func retryOverdue(at now: Moment) {
        guard let asked, asked.until <= now, !isChecking else { return }
        refused(by: asked.link, at: now)
    }

    /// The bytes were wrong: all chunks are fetched again, from another link if there is one.
    ///
    /// The first time, another link is asked at once. Later there is a pause, each time longer,
    /// even if new links appear: a forger may open one link after another.
    ///
    /// - Returns: the link to blame, which sent all chunks. Nil if there were several links, if an
    ///   earlier process fetched some chunks, or if the last chunk has full length. In that case
    ///   the peer may be honest and have a longer blob than the author listed.
    mutating func forged(at now: Moment) -> LinkID? {
        let isLastShorter = !size.isMultiple(of: UInt64(Limits.blobChunkBytes))
        let isOfOne = sources.count == 1 && !isOfEarlier && isLastShorter
        let forger = isOfOne ? sources[0] : nil
        startOver(at: now)
        timesForged += 1
        if timesForged > 1 { pausedUntil = now + Self.backoff(doubled: timesForged - 2) }
        return forger
    }

    /// The disk lost the bytes: all chunks are fetched again, and no peer is to blame.
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

    /// The disk damaged chunks after the write: they are fetched again.
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

    /// The first back-off, doubled `times` times, up to the longest.
    private static func backoff(doubled times: Int) -> Interval {
        min(backoff.first * (1 << min(max(0, times), 6)), backoff.longest)
    }
}
