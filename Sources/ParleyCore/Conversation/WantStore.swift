/// An announced envelope that this node lacks.
///
/// A want has 128 bytes and refers to no other memory: peers decide how many wants there are.
struct Want: Sendable {
    /// The links that announced the envelope and have not answered "not found" since.
    var holders = SeatSet()
    /// The holders asked in this round.
    var tried = SeatSet()
    let entry: HaveEntry
    /// The beginning and the end of the time that a link has to send the envelope.
    var since: Moment
    var until: Moment
    /// The previous and the next want of the session, in a ring.
    var previous: UInt32 = 0
    var next: UInt32 = 0
    /// The seat of the holder or author that should send the envelope, or `nobody`.
    var asked = Want.nobody
    /// The number of rounds in which all holders were asked in vain.
    var rounds: UInt8 = 0

    static let nobody = UInt8.max

    /// The links with a part in the want.
    var seats: SeatSet {
        var seats = holders
        if asked != Self.nobody { seats.insert(asked) }
        return seats
    }

    /// Whether the author is expected to push the envelope, and no holder was asked.
    var isExpected: Bool { asked != Self.nobody && !holders.contains(asked) }
}

/// The wants of a conversation, indexed by name and session.
///
/// Wants are in pages of equal size, so that the store grows without a copy. All pages go with the
/// last want: an idle conversation keeps no capacity.
struct WantStore: Sendable {
    private static let pageCount = 256

    private var pages: [[Want]] = []
    /// Slots whose want has ended.
    private var free: [UInt32] = []
    private var byName = SlotIndex()
    /// The first want of each session.
    private var bySession = SlotIndex()

    private(set) var count = 0

    /// The slots, some of which may be free.
    var slots: Range<Int> { 0..<(pages.isEmpty ? 0 : end) }

    /// The first slot that was never used.
    private var end: Int { (pages.count - 1) * Self.pageCount + (pages.last?.count ?? 0) }

    /// Reads and changes a want in place.
    subscript(slot: Int) -> Want {
        _read { yield pages[slot / Self.pageCount][slot % Self.pageCount] }
        _modify { yield &pages[slot / Self.pageCount][slot % Self.pageCount] }
    }

    /// Whether there is a want in a slot: every want has a holder.
    func isUsed(_ slot: Int) -> Bool { slot < end && !self[slot].holders.isEmpty }

    func slot(of name: EnvelopeName) -> Int? {
        guard count > 0 else { return nil }
        return byName.slot(hash: name.hashValue) {
            self[$0].entry.name == name
        }
    }

    /// The slots of the wants of a session, in the order of the announcements.
    func slots(of tag: SessionTag) -> [Int] {
        guard let first = first(of: tag) else { return [] }
        var slots = [first]
        var slot = Int(self[first].next)
        while slot != first {
            slots.append(slot)
            slot = Int(self[slot].next)
        }
        return slots
    }

    /// Adds a want that has a holder.
    ///
    /// - Returns: the slot of the want.
    mutating func add(_ want: Want) -> Int {
        let slot = place(want)
        byName.insert(slot, hash: want.entry.name.hashValue)
        if let first = first(of: want.entry.tag) {
            let last = self[first].previous
            self[Int(last)].next = UInt32(slot)
            self[first].previous = UInt32(slot)
            self[slot].previous = last
            self[slot].next = UInt32(first)
        } else {
            bySession.insert(slot, hash: want.entry.tag.hashValue)
            self[slot].previous = UInt32(slot)
            self[slot].next = UInt32(slot)
        }
        count += 1
        return slot
    }

    mutating func remove(_ slot: Int) {
        let entry = self[slot].entry
        byName.remove(slot, hash: entry.name.hashValue)
        let next = Int(self[slot].next)
        if next == slot {
            bySession.remove(slot, hash: entry.tag.hashValue)
        } else {
            self[Int(self[slot].previous)].next = UInt32(next)
            self[next].previous = self[slot].previous
            bySession.replace(slot, by: next, hash: entry.tag.hashValue)
        }
        self[slot].holders = SeatSet()
        free.append(UInt32(slot))
        count -= 1
        if count == 0 { self = WantStore() }
    }

    // MARK: Slots

    private func first(of tag: SessionTag) -> Int? {
        guard count > 0 else { return nil }
        return bySession.slot(hash: tag.hashValue) { self[$0].entry.tag == tag }
    }

    private mutating func place(_ want: Want) -> Int {
        if let slot = free.popLast() {
            self[Int(slot)] = want
            return Int(slot)
        }
        if pages.last.map({ $0.count == Self.pageCount }) ?? true {
            var page: [Want] = []
            page.reserveCapacity(pages.isEmpty ? 0 : Self.pageCount)
            pages.append(page)
        }
        pages[pages.count - 1].append(want)
        return end - 1
    }
}
