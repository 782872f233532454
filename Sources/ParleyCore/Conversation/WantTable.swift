/// The announced envelopes that this node lacks, each asked of one holder at a time.
package struct WantTable: Sendable {
    /// The time that a holder has for an answer, before another holder is asked.
    ///
    /// The time is longer while the link brings other new envelopes, and after all holders were
    /// asked in vain.
    package static let patience = Interval.seconds(1)
    /// The longest wait for a holder whose link keeps bringing new envelopes, as on a slow path.
    package static let patienceMax = Interval.seconds(300)
    /// The number of times that the patience doubles while holders are asked in vain: up to 64 s.
    package static let doublings = 6
    /// The shortest time between two searches for overdue wants.
    private static let pause = Interval.milliseconds(20)
    /// The number of wants for which the time between two searches grows by `pause`.
    private static let pauseWants = 8_192

    private var store = WantStore()
    private var seats = LinkSeats()
    /// When to look for overdue wants.
    package private(set) var deadline: Moment?
    /// When overdue wants were last looked for.
    private var lookedAt: Moment?

    package init() {}

    package var count: Int { store.count }

    package var isEmpty: Bool { store.count == 0 }

    /// Whether to look for overdue wants now.
    package func isDue(at now: Moment) -> Bool { deadline.map { $0 <= now } ?? false }

    /// Whether a link may announce envelopes.
    ///
    /// At most 128 links of a conversation have a part in its wants at a time.
    package mutating func mayAnnounce(_ link: LinkID) -> Bool {
        if seats.take(for: link) != nil { return true }
        var used = SeatSet()
        for slot in store.slots where store.isUsed(slot) { used.formUnion(store[slot].seats) }
        seats.leave(allBut: used)
        return seats.take(for: link) != nil
    }

    /// `holder` announced a missing envelope.
    ///
    /// `author` is the link on which the author of the envelope sends or announces it unasked,
    /// unless the author is the holder. An author that announces an envelope will not push it, and
    /// is asked despite an expected push.
    ///
    /// - Returns: whether to ask the holder at once.
    package mutating func announced(
        _ entry: HaveEntry,
        by holder: LinkID,
        author: LinkID? = nil,
        at now: Moment
    ) -> Bool {
        if let author {
            expected(entry, from: author, announcedBy: holder, at: now)
            return false
        }
        guard let seat = seats.take(for: holder) else { return false }
        if let slot = store.slot(of: entry.name) {
            let isExpected = store[slot].isExpected
            addHolder(seat, of: slot, at: now)
            guard isExpected else { return false }
            ask(seat, for: slot, at: now, patience: Self.patience)
            return true
        }
        var want = Want(entry: entry, since: now, until: now + Self.patience)
        want.tried.insert(seat)
        add(want, asked: seat, holder: seat)
        return true
    }

    /// `holder` announced an envelope that the author is expected to push on the link `author`.
    ///
    /// Holders are asked only if the author does not push.
    package mutating func expected(
        _ entry: HaveEntry,
        from author: LinkID,
        announcedBy holder: LinkID,
        at now: Moment
    ) {
        guard let seat = seats.take(for: holder) else { return }
        if let slot = store.slot(of: entry.name) { return addHolder(seat, of: slot, at: now) }
        let want = Want(entry: entry, since: now, until: now + Self.patience)
        add(want, asked: seats.take(for: author) ?? Want.nobody, holder: seat)
    }

    /// The envelope with a name, if it has not arrived and `link` was the last to be asked.
    package func entry(_ name: EnvelopeName, askedOf link: LinkID) -> HaveEntry? {
        guard let seat = seats.seat(of: link),
            let slot = store.slot(of: name), store[slot].holders.contains(seat),
            store[slot].asked == seat
        else { return nil }
        return store[slot].entry
    }

    /// Whether a holder was asked for an envelope that has not arrived.
    package func isAsked(_ name: EnvelopeName) -> Bool {
        store.slot(of: name).map { !store[$0].isExpected } ?? false
    }

    /// The wanted entries of one session.
    package func entries(of tag: SessionTag) -> [HaveEntry] {
        store.slots(of: tag).map { store[$0].entry }
    }

    /// The links that announced a wanted envelope.
    package func holders(of name: EnvelopeName) -> [LinkID] {
        guard let slot = store.slot(of: name) else { return [] }
        return store[slot].holders.seats.compactMap { seats[$0] }
    }

    /// Ends a want: the envelope arrived, or is no longer needed.
    package mutating func settled(_ name: EnvelopeName) {
        if let slot = store.slot(of: name) { store.remove(slot) }
    }

    /// `holder` no longer has the envelope, and its feed brings the replacement.
    package mutating func notFound(_ name: EnvelopeName, from holder: LinkID, at now: Moment) {
        guard let slot = store.slot(of: name), let seat = seats.seat(of: holder) else { return }
        removeHolder(seat, of: slot, at: now)
    }

    /// Turns to `holder` for the envelope with a name.
    ///
    /// - Returns: the entry to ask for; nil if a holder was asked less than a second ago, or this
    ///   holder already in this round.
    package mutating func turned(
        _ name: EnvelopeName,
        to holder: LinkID,
        at now: Moment
    ) -> HaveEntry? {
        guard let seat = seats.seat(of: holder),
            let slot = store.slot(of: name), store[slot].holders.contains(seat),
            !store[slot].tried.contains(seat), store[slot].since + Self.patience <= now
        else { return nil }
        ask(seat, for: slot, at: now, patience: Self.patience)
        return store[slot].entry
    }

    /// A link closed: each envelope due on the link is asked of another holder.
    ///
    /// If an author was expected to push on the link, the push is expected on its `other` link, if
    /// any.
    package mutating func linkClosed(_ link: LinkID, other: LinkID?, at now: Moment) {
        guard let seat = seats.seat(of: link) else { return }
        let otherSeat = other.flatMap { seats.take(for: $0) }
        for slot in store.slots where store.isUsed(slot) {
            let isHolder = store[slot].holders.contains(seat)
            if let otherSeat, store[slot].asked == seat, !isHolder {
                store[slot].asked = otherSeat
            } else if isHolder || store[slot].asked == seat {
                removeHolder(seat, of: slot, at: now)
            }
        }
        seats.leave(seat)
    }

    /// The overdue wants, each with the holder to ask now, in order of the names.
    ///
    /// `news` gives the moment at which each link last brought a new envelope. Links that brought
    /// any are asked before links that only announce. Each round in vain doubles the patience, at
    /// most `doublings` times.
    package mutating func overdue(
        at now: Moment,
        news: [LinkID: Moment]
    ) -> [(entry: HaveEntry, holder: LinkID)] {
        lookedAt = now
        deadline = nil
        var result: [(entry: HaveEntry, holder: LinkID)] = []
        var next: Moment?
        for slot in store.slots where store.isUsed(slot) {
            if store[slot].until <= now {
                if let later = later(than: slot, news), later > now {
                    store[slot].until = later
                } else if let holder = askNext(slot, news, at: now) {
                    result.append((store[slot].entry, holder))
                }
            }
            next = min(next ?? store[slot].until, store[slot].until)
        }
        if let next { look(at: next) }
        return result.sorted { $0.entry.name < $1.entry.name }
    }

    // MARK: Time

    /// Schedules a search for overdue wants at `time`, or once a pause is over.
    ///
    /// A search covers all wants, so that the pause grows with their number.
    private mutating func look(at time: Moment) {
        let pause = Self.pause * Int64(1 + store.count / Self.pauseWants)
        let time = max(time, lookedAt.map { $0 + pause } ?? time)
        deadline = min(deadline ?? time, time)
    }

    /// The extended deadline of a link that brought new envelopes since the request; else nil.
    private func later(than slot: Int, _ news: [LinkID: Moment]) -> Moment? {
        let since = store[slot].since
        guard let link = seats[store[slot].asked], let last = news[link], last > since else {
            return nil
        }
        return min(last + Self.patience, since + Self.patienceMax)
    }

    private mutating func askNext(
        _ slot: Int,
        _ news: [LinkID: Moment],
        at now: Moment
    ) -> LinkID? {
        var left = store[slot].holders.subtracting(store[slot].tried)
        if left.isEmpty {
            left = store[slot].holders
            store[slot].tried = SeatSet()
            store[slot].rounds = min(store[slot].rounds + 1, UInt8(Self.doublings))
        }
        let delivering = left.seats.first { seats[$0].map { news[$0] != nil } ?? false }
        guard let seat = delivering ?? left.first else { return nil }
        ask(seat, for: slot, at: now, patience: Self.patience * (1 << Int64(store[slot].rounds)))
        return seats[seat]
    }

    private mutating func ask(_ seat: UInt8, for slot: Int, at now: Moment, patience: Interval) {
        store[slot].tried.insert(seat)
        store[slot].asked = seat
        store[slot].since = now
        store[slot].until = now + patience
        look(at: store[slot].until)
    }

    // MARK: Holders

    private mutating func add(_ want: Want, asked: UInt8, holder seat: UInt8) {
        var want = want
        want.asked = asked
        want.holders.insert(seat)
        _ = store.add(want)
        look(at: want.until)
    }

    /// Adds a holder, which shortens the wait for the asked link to `patience`.
    private mutating func addHolder(_ seat: UInt8, of slot: Int, at now: Moment) {
        store[slot].holders.insert(seat)
        store[slot].rounds = 0
        store[slot].until = min(store[slot].until, now + Self.patience)
        look(at: store[slot].until)
    }

    /// Removes a holder: if it was asked, the next is asked at once; after the last, the want ends.
    private mutating func removeHolder(_ seat: UInt8, of slot: Int, at now: Moment) {
        store[slot].holders.remove(seat)
        store[slot].tried.remove(seat)
        guard !store[slot].holders.isEmpty else { return store.remove(slot) }
        guard store[slot].asked == seat else { return }
        store[slot].asked = Want.nobody
        store[slot].since = now
        store[slot].until = now
        look(at: now)
    }
}
