/// The blobs that are fetched, sorted by what each of them waits for.
///
/// A step costs what happens in it, however many blobs are missing: a node that joins a large
/// conversation misses thousands. An entry of a queue that became stale is skipped when it is met,
/// and swept out once most are.
struct BlobFetchTable: Sendable {
    private var fetches: [BlobID: BlobFetch] = [:]
    /// The blobs of which a link was asked for chunks, in the order in which it was.
    private var asked: [BlobID] = []
    /// The blobs for which a link is to be asked, by conversation, ascending.
    private var queues: [BlobFetchQueue] = []
    /// The conversation whose blob was asked for last; the one after it chooses next.
    private var lastTurn: UInt32 = 0
    /// The blobs that rest, by the ends of their rests.
    private var rests = BlobRests()

    var isEmpty: Bool { fetches.isEmpty }

    subscript(blob: BlobID) -> BlobFetch? { fetches[blob] }

    // MARK: Changes

    mutating func add(_ blob: BlobID, _ fetch: BlobFetch) {
        fetches[blob] = fetch
        let index = openQueue(of: fetch.conversation)
        queues[index].count += 1
        if queues[index].isSparse {
            queues[index].removeAll { fetches[$0]?.place != .waiting || $0 == blob }
        }
        queues[index].append(blob)
    }

    mutating func remove(_ blob: BlobID) {
        guard let fetch = fetches.removeValue(forKey: blob) else { return }
        if fetch.place == .asked { asked.removeAll { $0 == blob } }
        queues[openQueue(of: fetch.conversation)].count -= 1
    }

    /// Changes a fetch, after which it waits for what it needs then.
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
        // It had its turn before, so it comes first.
        case .waiting: queues[openQueue(of: conversation)].prepend(blob)
        case .asked: asked.append(blob)
        case .resting(let end): rest(blob, until: end)
        case .checking: break
        }
    }

    private mutating func rest(_ blob: BlobID, until end: Moment) {
        if rests.count > 2 * fetches.count + 32 {
            rests.removeAll { fetches[$0]?.place != .resting(until: $1) }
        }
        rests.insert(blob, until: end)
    }

    /// The queue of a conversation, which is made if there is none.
    private mutating func openQueue(of conversation: UInt32) -> Int {
        let index = queues.partitioningIndex { $0.conversation >= conversation }
        if index == queues.count || queues[index].conversation != conversation {
            queues.insert(BlobFetchQueue(conversation), at: index)
        }
        return index
    }

    // MARK: Asking

    /// Asks links for the chunks of blobs, until `limit` blobs are under way or no link is left to
    /// ask; conversations take turns.
    ///
    /// `links` names the live links that share a conversation.
    mutating func ask(
        limit: Int,
        at now: Moment,
        links: (_ conversation: UInt32) -> [LinkID]
    ) -> [BlobExchange.Ask] {
        var asks: [BlobExchange.Ask] = []
        var left = queues.count
        while asked.count < limit, left > 0 {
            let next = queues.partitioningIndex { $0.conversation > lastTurn }
            let index = next < queues.count ? next : 0
            lastTurn = queues[index].conversation
            if let ask = ask(in: index, links(lastTurn), at: now) {
                asks.append(ask)
                left = queues.count
            } else {
                left -= 1
            }
        }
        queues.removeAll { $0.count == 0 }
        return asks
    }

    /// Asks one of `links` for the first blob of a queue for which one may be asked.
    private mutating func ask(
        in index: Int,
        _ links: [LinkID],
        at now: Moment
    ) -> BlobExchange.Ask? {
        let conversation = queues[index].conversation
        if queues[index].see(links) {
            for blob in resting(in: conversation) {
                fetches[blob]?.place = .waiting
                queues[index].append(blob)
            }
        }
        guard !links.isEmpty else { return nil }
        while let blob = queues[index].first {
            queues[index].removeFirst()
            guard var fetch = fetches[blob], fetch.place == .waiting,
                fetch.conversation == conversation
            else { continue }
            fetch.endRest(at: now)
            let link = links.first { !fetch.inVain.contains($0) }
            if let link { fetch.ask(link, at: now) } else { fetch.rest(at: now) }
            fetches[blob] = fetch
            enter(fetch.place, blob, of: conversation)
            guard let link else { continue }
            return BlobExchange.Ask(
                link: link,
                conversation: conversation,
                blob: blob,
                chunks: fetch.missing
            )
        }
        return nil
    }

    /// The blobs of a conversation that rest because all links were asked in vain.
    private func resting(in conversation: UInt32) -> [BlobID] {
        rests.blobs { blob, end in
            guard let fetch = fetches[blob], !fetch.isPaused else { return false }
            return fetch.place == .resting(until: end) && fetch.conversation == conversation
        }
    }

    // MARK: Links and time

    /// Whether a link was asked for chunks that did not all come.
    func isAsked(_ link: LinkID) -> Bool { asked.contains { fetches[$0]?.asked?.link == link } }

    /// A new member may have the blobs that others do not have.
    mutating func memberCame() {
        for blob in fetches.keys { fetches[blob]?.memberCame() }
    }

    mutating func linkClosed(_ link: LinkID) {
        for blob in asked where fetches[blob]?.asked?.link == link {
            change(blob) { $0.linkClosed(link) }
        }
        for blob in fetches.keys { fetches[blob]?.linkClosed(link) }
    }

    /// Gives up on links that did not deliver, and ends the rests that are over.
    mutating func retryOverdue(at now: Moment) {
        for blob in asked { change(blob) { $0.retryOverdue(at: now) } }
        while let (blob, end) = rests.first, end <= now {
            rests.removeFirst()
            guard fetches[blob]?.place == .resting(until: end) else { continue }
            change(blob) { $0.endRest(at: now) }
        }
    }

    /// When `retryOverdue` has something to do.
    var deadline: Moment? {
        var next = Earliest()
        for blob in asked { next.add(fetches[blob]?.asked?.until) }
        next.add(rests.first { fetches[$0]?.place == .resting(until: $1) })
        return next.moment
    }
}
