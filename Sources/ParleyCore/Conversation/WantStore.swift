/// An envelope that peers announced and this node lacks.
///
/// A want is 128 bytes long, without anything beside it: peers decide how many there are.
struct Want: Sendable {
    /// The links that announced it and did not answer "not found" since.
    var holders = SeatSet()
    /// The holders that were asked in this round.
    var tried = SeatSet()
    let entry: HaveEntry
    /// Since when and until when a link has time to send it.
    var since: Moment
    var until: Moment
    /// The wants of the same session before and behind this one, in a ring.
    var previous: UInt32 = 0
    var next: UInt32 = 0
    /// The link that should send it: a holder, or its author; `nobody` if there is no such link.
    var asked = Want.nobody
    /// How often all holders were asked in vain.
    var rounds: UInt8 = 0

    static let nobody = UInt8.max

    /// The links that have a part in it.
    var seats: SeatSet {
        var seats = holders
        if asked != Self.nobody { seats.insert(asked) }
        return seats
    }

    /// Whether its author is expected to push it, and nobody was asked.
    var isExpected: Bool { asked != Self.nobody && !holders.contains(asked) }
}

/// The wants of a conversation, found by their names, by session, and by fingerprint.
///
/// It keeps them in pages of equal size, so that it grows without a copy, and drops all pages when
/// the last want goes: an idle conversation keeps no capacity.
struct WantStore: Sendable {
    private static let pageCount = 256

    private var pages: [[Want]] = []
    /// Slots whose want is over.
    private var free: [UInt32] = []
    private var byFingerprint = SlotIndex()
    /// The first want of each session.
    private var bySession = SlotIndex()

    private(set) var count = 0

    /// The slots, some of which may be free.
    var slots: Range<Int> { 0..<(pages.isEmpty ? 0 : end) }

    /// The slots from this one on were never used.
    private var end: Int { (pages.count - 1) * Self.pageCount + (pages.last?.count ?? 0) }

    /// Reads and changes a want in place.
    subscript(slot: Int) -> Want {
        _read { yield pages[slot / Self.pageCount][slot % Self.pageCount] }
        _modify { yield &pages[slot / Self.pageCount][slot % Self.pageCount] }
    }

    /// Whether there is a want in a slot: each has a holder as long as it lasts.
    func isUsed(_ slot: Int) -> Bool { slot < end && !self[slot].holders.isEmpty }

    func slot(of name: EnvelopeName) -> Int? {
        guard count > 0 else { return nil }
        return byFingerprint.slot(hash: name.fingerprint.hashValue) {
            self[$0].entry.name == name
        }
    }

    /// The slot of a want with this fingerprint and holder: the only one, unless a writer tried
    /// hard.
    func slot(ofFingerprint fingerprint: UInt64, heldBy seat: UInt8) -> Int? {
        byFingerprint.slot(hash: fingerprint.hashValue) {
            self[$0].entry.name.fingerprint == fingerprint && self[$0].holders.contains(seat)
        }
    }

    /// The slots of the wants of a session, in the order in which they were announced.
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
    /// - Returns: its slot.
    mutating func add(_ want: Want) -> Int {
        let slot = place(want)
        byFingerprint.insert(slot, hash: want.entry.name.fingerprint.hashValue)
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
        byFingerprint.remove(slot, hash: entry.name.fingerprint.hashValue)
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
