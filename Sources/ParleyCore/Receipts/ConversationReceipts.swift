/// A live link to a member of the conversation.
struct ReceiptLink: Sendable {
    let link: LinkID
    let device: DeviceID
}

/// The receipts of a conversation: made here, passed on, and counted.
struct ConversationReceipts: Sendable {
    var book = ReceiptBook()
    private var counter = ReservedNumbers()
    /// The generation of the keys by which receipts are sealed.
    private var generation: UInt64?
    private var pending = PendingReceipts()
    private var own: [OriginID: OwnReceipts] = [:]
    /// Whether `own` has what was on disk at the start.
    private var isCollected = false
    /// Of those, the origins with the latest messages, whose receipts perhaps went nowhere before.
    private var untold: [OriginID] = []
    private var pool = ReceiptPool()
    private var routes: [OriginID: ReceiptRoute] = [:]
    /// The origins with something to send, perhaps, ascending.
    private var active: [OriginID] = []

    init() {}

    /// Takes back what was written.
    mutating func recover(_ name: MemberRecord, _ record: Slice) {
        switch name {
        case .receipts(let origin, let device):
            book.recover(record, of: origin, by: device)
        case .receiptCounter: counter = ReservedNumbers(record: record)
        default: break
        }
    }

    // MARK: Inputs

    /// The envelopes of another device come on a link now.
    mutating func moved(_ origin: OriginID, to link: LinkID, of device: DeviceID, at now: Moment) {
        change(origin) { $0.moved(to: link, of: device) }
        sendAgain(origin, at: now)
    }

    /// The message will be on disk here with a commit.
    mutating func merged(_ arrival: Arrival, with ticket: Ticket, at now: Moment) {
        pending.add(
            arrival.head.dot,
            in: arrival.header.tag,
            blobs: arrival.header.blobs,
            ticket: ticket,
            at: now
        )
    }

    /// Whether a moment or a commit is awaited, or receipts can be opened.
    var isWaiting: Bool {
        deadline != nil || counter.isReserving || pending.isWaiting || book.canOpen
    }

    /// Whether there is anything to report, to reserve, to open or to send now.
    func isDue(_ keys: ConversationKeys, _ committed: Ticket, at now: Moment) -> Bool {
        if let deadline, deadline <= now { return true }
        guard keys.canRead else { return false }
        if generation != keys.generation { return true }
        return counter.isDue(committed) || pending.isAnyOnDisk(committed) || book.canOpen
    }

    /// Notes the generation of the keys; if it is another one, all receipts are made anew.
    ///
    /// - Returns: the receipts for this node that perhaps can be opened now.
    mutating func keysChanged(
        to keys: ConversationKeys,
        at now: Moment
    ) -> [(origin: OriginID, receipt: Receipt)] {
        guard keys.canRead, generation != keys.generation else { return [] }
        generation = keys.generation
        for origin in own.keys.sorted() {
            own[origin]?.retell()
            change(origin) { $0.beginRound(at: now) }
            activate(origin, at: now)
        }
        return book.keysChanged()
    }

    /// Reports what is on disk by now and due.
    mutating func ripen(
        in conversation: Conversation,
        _ commits: Commits,
        at now: Moment,
        isStored: (BlobID) -> Bool
    ) {
        let ripe = pending.take(
            committed: commits.committed,
            at: now,
            isHead: { conversation.session($1)?.record(of: $0) != nil },
            isStored: isStored
        )
        for dot in ripe {
            own[dot.origin, default: OwnReceipts()].add(dot.sequence)
            change(dot.origin) { route in
                route.hasOwn()
                route.beginRound(at: now)
            }
            activate(dot.origin, at: now)
        }
        if counter.committed(commits.committed) {
            for origin in own.keys.sorted() where own[origin]?.isUnreported == true {
                activate(origin, at: now)
            }
        }
    }

    /// Reserves counters if few are left.
    ///
    /// - Returns: the write of the reservation.
    mutating func reserve(in conversation: Conversation, _ commits: Commits) -> StoreWrite? {
        guard conversation.keys.canRead, !own.isEmpty || !isCollected else { return nil }
        return counter.reserve(.receiptCounter, in: conversation.number, with: commits.next)
    }

    /// A link to a member has begun: receipts for the member, or on the way there, go again.
    mutating func linked(
        _ link: ReceiptLink,
        in conversation: Conversation,
        committed: Ticket,
        at now: Moment,
        isStored: (BlobID) -> Bool
    ) {
        collect(from: conversation, committed, isStored, at: now)
        for origin in Set(own.keys).union(pool.origins).union(routes.keys).sorted() {
            if conversation.origins.device(of: origin) == link.device {
                sendAgain(origin, at: now)
            } else if routes[origin]?.viaDevice == link.device {
                change(origin) { $0.moved(to: link.link, of: link.device) }
                sendAgain(origin, at: now)
            }
        }
        let waiting = Set(untold + stranded + pool.origins).sorted()
        for origin in waiting where isAnyUnsent(origin) { wait(origin, at: now) }
    }

    /// A silent link answers again: what found no way meanwhile, or went astray, may go there.
    mutating func resumed(_ link: ReceiptLink, in conversation: Conversation, at now: Moment) {
        for origin in Set(routes.keys).union(pool.origins).sorted() {
            let route = routes[origin]
            let isWay =
                route?.via == link.link || conversation.origins.device(of: origin) == link.device
            if isWay, route?.isAstray == true {
                sendAgain(origin, at: now)
            } else if isAnyUnsent(origin),
                isWay || route?.isStranded == true || pool.isAnyUnsent(origin)
            {
                activate(origin, at: now)
            }
        }
    }

    /// A link has ended that worked until `end`; receipts that perhaps did not arrive there are
    /// sent again, on all links if no way becomes known meanwhile.
    ///
    /// - Returns: whether there are any.
    mutating func linkClosed(_ link: LinkID, workedUntil end: Moment, at now: Moment) -> Bool {
        var lost: [OriginID] = []
        var waiting: [OriginID] = []
        for origin in routes.keys {
            if routes[origin]?.ended(link, workedUntil: end) == true {
                lost.append(origin)
            } else if routes[origin]?.isStranded == true {
                if isAnyUnsent(origin) { waiting.append(origin) } else { routes[origin]?.settle() }
            }
        }
        for origin in waiting.sorted() { wait(origin, at: now) }
        for origin in lost.sorted() {
            guard routes[origin]?.via == nil else {
                sendAgain(origin, at: now)
                continue
            }
            own[origin]?.retell()
            if pool.renew(origin) || own[origin] != nil { wait(origin, at: now) }
        }
        return !lost.isEmpty || !waiting.isEmpty
    }

    private var stranded: [OriginID] { routes.filter { $0.value.isStranded }.map(\.key) }

    /// Receipts for an origin of another device arrived: they are to go on.
    mutating func pass(
        _ receipts: [Receipt],
        of origin: OriginID,
        _ arrivals: UInt32,
        from source: ReceiptLink,
        at now: Moment
    ) {
        var isNew = false
        for receipt in receipts where pool.insert(receipt, of: origin, from: source.device) {
            isNew = true
        }
        change(origin) { route in
            route.lose(source.link)
            route.heard(arrivals, at: now)
            route.reported(source.link, at: now)
        }
        if isNew { activate(origin, at: now) }
    }

    // MARK: Sending

    /// When to call `takeDue` or `ripen`.
    var deadline: Moment? {
        var next = Earliest()
        next.add(pending.deadline)
        for origin in active { next.add(routes[origin]?.next) }
        return next.moment
    }

    /// Takes what is to be sent now; `isPushed` says whether envelopes of an origin are pushed on a
    /// link.
    mutating func takeDue(
        in conversation: Conversation,
        on links: [ReceiptLink],
        isPushed: (OriginID, LinkID) -> Bool,
        at now: Moment,
        using crypto: some Cryptography
    ) -> [(link: LinkID, origin: OriginID, receipts: [Receipt])] {
        guard let deadline, deadline <= now else { return [] }
        var due: [(link: LinkID, origin: OriginID, receipts: [Receipt])] = []
        for origin in active where routes[origin]?.next.map({ $0 <= now }) ?? false {
            let way = way(of: origin, in: conversation, on: links)
            let isUntold = isUntold(origin)
            let ways =
                way.map { [$0] } ?? (isUntold || pool.isAnyUnsent(origin) ? links : [])
            let wayLinks = ways.map(\.link)
            guard !ways.isEmpty else {
                change(origin) { $0.pause() }
                continue
            }
            let author = conversation.origins.device(of: origin)
            let pushedTo = links.filter {
                $0.device != author && !wayLinks.contains($0.link)
                    && isPushed(origin, $0.link)
            }
            let isReady = change(origin) { $0.isReady(at: now, pushedTo: pushedTo.map(\.link)) }
            guard isReady else { continue }
            let mine =
                way == nil && !isUntold ? [] : makeOwn(origin, in: conversation, using: crypto)
            let unsent =
                mine.map { ($0, nil) } + pool.takeUnsent(origin, to: ways.map(\.device))
            let arrivals = conversation.origins[origin]?.arrivals ?? 0
            change(origin) {
                unsent.isEmpty
                    ? $0.pause()
                    : $0.sent(on: wayLinks, isAstray: way == nil, after: arrivals, at: now)
            }
            for way in ways {
                var rest = unsent.filter { $0.1 != way.device }.map(\.0)[...]
                while !rest.isEmpty {
                    due.append((way.link, origin, Array(rest.prefix(Limits.receipts))))
                    rest = rest.dropFirst(Limits.receipts)
                }
            }
        }
        active.removeAll { routes[$0]?.next == nil }
        return due
    }

    /// The author's own link, else the link on which envelopes come.
    ///
    /// Without either, receipts of others and untold own receipts go everywhere.
    private func way(
        of origin: OriginID,
        in conversation: Conversation,
        on links: [ReceiptLink]
    ) -> ReceiptLink? {
        let author = conversation.origins.device(of: origin)
        return links.last { $0.device == author }
            ?? links.first { $0.link == routes[origin]?.via }
    }

    /// Whether this device has receipts of before the start, or receipts whose way has ended.
    private func isUntold(_ origin: OriginID) -> Bool {
        own[origin]?.isUnreported == true
            && (untold.contains(origin) || routes[origin]?.isStranded == true)
    }

    /// The receipts of this device for what it has not reported.
    private mutating func makeOwn(
        _ origin: OriginID,
        in conversation: Conversation,
        using crypto: some Cryptography
    ) -> [Receipt] {
        guard var mine = own[origin], mine.isUnreported,
            let state = conversation.origins[origin],
            let seal = ReceiptSeal(
                of: conversation.device,
                for: state.device,
                otherKey: state.record.host?.deviceKey ?? state.record.deviceKey,
                keys: conversation.keys,
                using: crypto
            )
        else { return [] }
        // An author in an open conversation gets no cards, and perhaps no message of this device,
        // as later ones have replaced it.
        let isKnown =
            !conversation.record.isOpen
            && conversation.origins[conversation.keys.ownOrigin]?.isStored ?? false
        let made = mine.make(
            of: origin,
            by: seal,
            nextSet: { counter.take() },
            introduce: { counter in
                isKnown
                    ? nil
                    : seal.introduction(
                        of: crypto.devicePublicKey,
                        to: origin,
                        counter: counter,
                        keys: conversation.keys,
                        using: crypto
                    )
            },
            using: crypto
        )
        own[origin] = mine
        return made
    }

    // MARK: Parts

    private func isAnyUnsent(_ origin: OriginID) -> Bool {
        own[origin]?.isUnreported == true || pool.isAnyUnsent(origin)
    }

    @discardableResult
    private mutating func change<Result>(
        _ origin: OriginID,
        _ change: (inout ReceiptRoute) -> Result
    ) -> Result {
        if routes[origin] == nil, routes.count >= Limits.receiptRoutes {
            routes = routes.filter { $0.value.next != nil }
        }
        return change(&routes[origin, default: ReceiptRoute()])
    }

    private mutating func markActive(_ origin: OriginID) {
        let index = active.partitioningIndex { $0 >= origin }
        guard index == active.endIndex || active[index] != origin else { return }
        active.insert(origin, at: index)
    }

    private mutating func activate(_ origin: OriginID, at now: Moment) {
        markActive(origin)
        change(origin) { $0.has(at: now) }
    }

    private mutating func wait(_ origin: OriginID, at now: Moment) {
        change(origin) { $0.wait(at: now) }
        markActive(origin)
    }

    /// Sends everything again, what is of this device in a new set.
    private mutating func sendAgain(_ origin: OriginID, at now: Moment) {
        own[origin]?.retell()
        guard pool.renew(origin) || own[origin] != nil else { return }
        change(origin) { $0.beginRound(at: now) }
        activate(origin, at: now)
    }

    /// Adds what was on disk at the start; messages without their blobs wait for these.
    private mutating func collect(
        from conversation: Conversation,
        _ committed: Ticket,
        _ isStored: (BlobID) -> Bool,
        at now: Moment
    ) {
        guard !isCollected, conversation.keys.canRead else { return }
        isCollected = true
        var latest: [OriginID: UInt64] = [:]
        for session in conversation.sessions
        where !session.isDirty && session.lastWrite <= committed {
            for head in session.heads where !head.isLost && !conversation.isOwn(head.dot.origin) {
                let (dot, blobs) = (head.dot, head.blobs)
                guard blobs.allSatisfy({ isStored($0.id) }) else {
                    pending.add(dot, in: session.tag, blobs: blobs, ticket: committed, at: now)
                    continue
                }
                let origin = dot.origin
                own[origin, default: OwnReceipts()].add(dot.sequence)
                latest[origin] = max(latest[origin] ?? 0, head.position)
            }
        }
        let byAge = latest.sorted { ($1.value, $1.key) < ($0.value, $0.key) }
        untold = byAge.prefix(Limits.receiptOriginsAtStart).map(\.key)
    }
}
