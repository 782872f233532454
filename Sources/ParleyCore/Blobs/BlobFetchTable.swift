/// The blobs that are being fetched, sorted by the event that each waits for.
///
/// The cost of a step does not grow with the number of missing blobs: a node that joins a large
/// conversation misses thousands. Stale entries of a queue are skipped, and swept out when most are
/// stale.
struct BlobFetchTable: Sendable {
    private var fetches: [BlobID: BlobFetch] = [:]
    /// The blobs whose chunks were asked for, oldest request first.
    private var asked: [BlobID] = []
    /// The blobs that wait for a link, ascending by conversation.
    private var queues: [BlobFetchQueue] = []
    /// The conversation of the last turn; turns go on in ascending order.
    private var lastTurn: UInt32 = 0
    /// The blobs that back off, by the ends of their back-offs.
    private var backoffs = BlobBackoffs()

    /// The number of blobs examined in one step, in a conversation without a link.
    private static let strandedAtATime = 8

    var isEmpty: Bool { fetches.isEmpty }

    subscript(blob: BlobID) -> BlobFetch? { fetches[blob] }

    // MARK: Changes

    mutating func add(_ blob: BlobID, _ fetch: BlobFetch) {
        fetches[blob] = fetch
        let index = openQueue(of: fetch.conversation)
        queues[index].count += 1
        if queues[index].isSparse {
            let fetches = fetches
            var kept: Set<BlobID> = [blob]
            queues[index].removeAll { other in
                let isStale = fetches[other]?.waits(in: fetch.conversation) != true
                return isStale || !kept.insert(other).inserted
            }
        }
        queues[index].append(blob)
    }

    mutating func remove(_ blob: BlobID) {
        guard let fetch = fetches.removeValue(forKey: blob) else { return }
        if fetch.place == .asked { asked.removeAll { $0 == blob } }
        queues[openQueue(of: fetch.conversation)].count -= 1
    }

    /// Changes a fetch, and moves it to the queue of its new state.
    @discardableResult
    mutating func change<Answer>(_ blob: BlobID, _ body: (inout BlobFetch) -> Answer) -> Answer? {
        guard let before = fetches[blob] else { return nil }
        var fetch = before
        let answer = body(&fetch)
        fetch.settle()
        fetches[blob] = fetch
        if fetch.place != before.place || fetch.conversation != before.conversation {
            if before.place == .asked { asked.removeAll { $0 == blob } }
            queues[openQueue(of: before.conversation)].count -= 1
            queues[openQueue(of: fetch.conversation)].count += 1
            enter(fetch.place, blob, of: fetch.conversation)
        }
        return answer
    }

    private mutating func enter(
        _ place: BlobFetch.Place,
        _ blob: BlobID,
        of conversation: UInt32
    ) {
        switch place {
        // The blob had its turn before, so it comes first.
        case .waiting: queues[openQueue(of: conversation)].prepend(blob)
        case .asked: asked.append(blob)
        case .backingOff(let end): backOff(blob, until: end)
        case .checking: break
        }
    }

    private mutating func backOff(_ blob: BlobID, until end: Moment) {
        if backoffs.count > 2 * fetches.count + 32 {
            backoffs.removeAll { fetches[$0]?.place != .backingOff(until: $1) }
        }
        backoffs.insert(blob, until: end)
    }

    /// The queue of a conversation, made on demand.
    private mutating func openQueue(of conversation: UInt32) -> Int {
        let index = queues.partitioningIndex { $0.conversation >= conversation }
        if index == queues.count || queues[index].conversation != conversation {
            queues.insert(BlobFetchQueue(conversation), at: index)
        }
        return index
    }

    // MARK: Asking

    /// Asks links for chunks, until `limit` blobs are under way or no link is left to ask.
    ///
    /// Conversations take turns.
    mutating func ask(
        limit: Int,
        at now: Moment,
        links: (_ conversation: UInt32) -> [LinkID],
        listings: (BlobID) -> [BlobListing]
    ) -> BlobExchange.Asking {
        var asking = BlobExchange.Asking()
        var left = queues.count
        while asked.count < limit, left > 0 {
            let next = queues.partitioningIndex { $0.conversation > lastTurn }
            lastTurn = queues[next < queues.count ? next : 0].conversation
            if ask(in: lastTurn, at: now, links: links, listings: listings, &asking) {
                left = queues.count
            } else {
                left -= 1
            }
        }
        queues.removeAll { $0.count == 0 }
        return asking
    }

    /// Asks a link for the first blob in a queue that some link may have.
    ///
    /// - Returns: whether a link was asked, or a blob moved to another conversation.
    private mutating func ask(
        in conversation: UInt32,
        at now: Moment,
        links: (_ conversation: UInt32) -> [LinkID],
        listings: (BlobID) -> [BlobListing],
        _ asking: inout BlobExchange.Asking
    ) -> Bool {
        let index = openQueue(of: conversation)
        let present = links(conversation)
        if queues[index].see(present) { wakeBackingOff(in: conversation) }
        // Without a link, only few blobs are examined, for a listing in another conversation.
        var left = present.isEmpty ? min(Self.strandedAtATime, queues[index].count) : .max
        var hasMoved = false
        while left > 0, let blob = takeFirst(of: conversation) {
            left -= 1
            guard var fetch = fetches[blob] else { continue }
            if let link = present.first(where: { !fetch.inVain.contains($0) }) {
                fetch.ask(link, at: now)
                fetches[blob] = fetch
                asked.append(blob)
                let ask = BlobExchange.Ask(
                    link: link,
                    conversation: conversation,
                    blob: blob,
                    chunks: fetch.missing
                )
                asking.asks.append(ask)
                return true
            }
            let others = fetch.following(in: listings(blob), isStranded: present.isEmpty)
            if let next = others.first(where: { !links($0.conversation).isEmpty }) {
                if change(blob, { $0.take(next) }) == true { asking.dropped.append(blob) }
                if next.conversation == conversation {
                    queues[openQueue(of: conversation)].prepend(blob)
                } else {
                    hasMoved = true
                }
            } else if present.isEmpty {
                queues[openQueue(of: conversation)].append(blob)
            } else {
                change(blob) { $0.backOff(at: now) }
                if fetches[blob]?.waits(in: conversation) == true {
                    queues[openQueue(of: conversation)].prepend(blob)
                }
            }
        }
        return hasMoved
    }

    /// Takes the first blob that waits for a link in a conversation.
    private mutating func takeFirst(of conversation: UInt32) -> BlobID? {
        let index = openQueue(of: conversation)
        while let blob = queues[index].first {
            queues[index].removeFirst()
            if fetches[blob]?.waits(in: conversation) == true { return blob }
        }
        return nil
    }

    /// There is a new link: blobs that back off because all links were asked in vain wait for a
    /// link again.
    private mutating func wakeBackingOff(in conversation: UInt32) {
        let woken = backingOff(in: conversation)
        guard !woken.isEmpty else { return }
        let index = openQueue(of: conversation)
        for blob in woken {
            fetches[blob]?.place = .waiting
            queues[index].append(blob)
        }
        backoffs.removeAll { fetches[$0]?.place != .backingOff(until: $1) }
    }

    /// The blobs of a conversation that back off because all links were asked in vain.
    private func backingOff(in conversation: UInt32) -> [BlobID] {
        backoffs.blobs { blob, end in
            guard let fetch = fetches[blob], !fetch.isPaused else { return false }
            return fetch.place == .backingOff(until: end) && fetch.conversation == conversation
        }
    }

    // MARK: Links and time

    /// Whether chunks are due from a link.
    func isAsked(_ link: LinkID) -> Bool { asked.contains { fetches[$0]?.asked?.link == link } }

    /// A new member may have missing blobs.
    mutating func memberCame() {
        for blob in fetches.keys { fetches[blob]?.memberCame() }
    }

    mutating func linkClosed(_ link: LinkID) {
        for blob in asked where fetches[blob]?.asked?.link == link {
            change(blob) { $0.linkClosed(link) }
        }
        for blob in fetches.keys { fetches[blob]?.linkClosed(link) }
    }

    /// Gives up on links that did not deliver in time, and ends the back-offs that are over.
    mutating func retryOverdue(at now: Moment) {
        for blob in asked { change(blob) { $0.retryOverdue(at: now) } }
        while let (blob, end) = backoffs.first, end <= now {
            backoffs.removeFirst()
            guard fetches[blob]?.place == .backingOff(until: end) else { continue }
            change(blob) { $0.endBackoff(at: now) }
        }
    }

    /// The moment at which `retryOverdue` has something to do.
    var deadline: Moment? {
        var next = Earliest()
        for blob in asked { next.add(fetches[blob]?.asked?.until) }
        next.add(backoffs.first { fetches[$0]?.place == .backingOff(until: $1) })
        return next.moment
    }
}
