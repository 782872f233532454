/// The envelopes that peers announced and this node lacks; one holder is asked at a time.
package struct WantTable: Sendable {
    /// How long a holder has to answer before the next one is asked.
    ///
    /// It has longer while its link brings other new envelopes, and after all were asked in vain.
    package static let patience = Interval.seconds(1)
    /// The longest wait for a holder whose link keeps bringing new envelopes, as on a slow path.
    package static let patienceMax = Interval.seconds(300)
    /// How often the patience doubles while all holders are asked in vain: up to 64 s.
    package static let doublings = 6
    /// The shortest time between two searches for overdue wants.
    private static let pause = Interval.milliseconds(20)
    /// How many wants make the shortest time between two searches longer by `pause`.
    private static let pauseWants = 8_192
    /// The memory that a want takes, with its part of the indices, in bytes.
    package static let wantBytes = 160

    private var store = WantStore()
    private var seats = LinkSeats()
    /// When to look for overdue wants.
    package private(set) var deadline: Moment?
    /// When overdue wants were looked for last.
    private var lookedAt: Moment?

    package init() {}

    package var count: Int { store.count }

    /// Whether to look for overdue wants now.
    package func isDue(at now: Moment) -> Bool { deadline.map { $0 <= now } ?? false }

    /// Whether a link may announce envelopes; at most 128 links of a conversation have a part in
    /// its wants at a time.
    package mutating func mayAnnounce(_ link: LinkID) -> Bool {
        if seats.take(for: link) != nil { return true }
        var used = SeatSet()
        for slot in store.slots where store.isUsed(slot) { used.formUnion(store[slot].seats) }
        seats.leave(allBut: used)
        return seats.take(for: link) != nil
    }

    /// `holder` announced an envelope that this node lacks, and that nobody is expected to push.
    ///
    /// An author that announces its envelope does not push it, so it is asked at once even if this
    /// node expected the push.
    ///
    /// - Returns: whether to ask the holder for it at once.
    package mutating func announced(_ entry: HaveEntry, by holder: LinkID, at now: Moment) -> Bool {
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

    /// `holder` announced an envelope that its author is expected to push on the link `author`.
    ///
    /// Holders are asked only if the author does not push it.
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

    /// The envelope with a fingerprint if it is still wanted from the holder on `link`: it has not
    /// arrived, and no other holder was asked since.
    package func entry(_ fingerprint: UInt64, askedOf link: LinkID) -> HaveEntry? {
        guard let seat = seats.seat(of: link),
            let slot = store.slot(ofFingerprint: fingerprint, heldBy: seat),
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

    /// Ends a want: the envelope arrived, or is not needed any more.
    package mutating func settled(_ name: EnvelopeName) {
        if let slot = store.slot(of: name) { store.remove(slot) }
    }

    /// `holder` does not have the envelope any more; its feed brings the replacement.
    package mutating func notFound(_ name: EnvelopeName, from holder: LinkID, at now: Moment) {
        guard let slot = store.slot(of: name), let seat = seats.seat(of: holder) else { return }
        removeHolder(seat, of: slot, at: now)
    }

    /// Asks `holder` for the envelope with a fingerprint, if another one was asked a second ago or
    /// earlier, and this one not yet in the round.
    ///
    /// - Returns: the entry to ask for.
    package mutating func turned(
        _ fingerprint: UInt64,
        to holder: LinkID,
        at now: Moment
    ) -> HaveEntry? {
        guard let seat = seats.seat(of: holder),
            let slot = store.slot(ofFingerprint: fingerprint, heldBy: seat),
            !store[slot].tried.contains(seat), store[slot].since + Self.patience <= now
        else { return nil }
        ask(seat, for: slot, at: now, patience: Self.patience)
        return store[slot].entry
    }

    /// A link closed: another holder is asked for each envelope that it was to send.
    ///
    /// An author that was to push an envelope unasked does so on its `other` link, if it has one.
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

    /// The overdue wants, each with the holder to ask now, in order of their names.
    ///
    /// `news` says when each link last brought a new envelope. Links that brought one are asked
    /// before those that only announce. Each round in vain doubles the patience, at most
    /// `doublings` times.
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
    /// A search looks at all wants, so it is made less often if they are many.
    private mutating func look(at time: Moment) {
        let pause = Self.pause * Int64(1 + store.count / Self.pauseWants)
        let time = max(time, lookedAt.map { $0 + pause } ?? time)
        deadline = min(deadline ?? time, time)
    }

    /// The later deadline of a holder whose link brought new envelopes since it was asked; else
    /// nil.
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

    /// Adds a holder, and waits no longer than `patience` now, as this one has the envelope.
    private mutating func addHolder(_ seat: UInt8, of slot: Int, at now: Moment) {
        store[slot].holders.insert(seat)
        store[slot].rounds = 0
        store[slot].until = min(store[slot].until, now + Self.patience)
        look(at: store[slot].until)
    }

    /// Removes a holder: if it was asked, the next one is asked at once; without any, the want is
    /// over.
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
