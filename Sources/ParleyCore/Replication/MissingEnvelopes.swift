/// The envelopes that a peer announced and this node lacks, in the order of the announcements.
package struct MissingEnvelopes: Sendable {
    /// The envelopes, oldest first, with the highest position that had arrived before each.
    private var entries: [(after: UInt64, name: EnvelopeName)] = []
    /// The entries before this index are settled.
    private var start = 0
    /// The names that are not settled.
    private var unsettled: Set<EnvelopeName> = []
    /// The envelope that was announced first, since when it is or was asked for last, when the feed
    /// last stood still, and how many envelopes were asked for then.
    private var standstill: (oldest: EnvelopeName?, since: Moment, last: Moment?, count: Int) =
        (nil, .start, nil, 0)

    /// How many more settled than unsettled entries may be kept.
    private static let settledMax = 64
    /// After this time without an arrival in order, a peer is asked in the place of another one.
    package static let standstillMin = Interval.seconds(4)

    package init() {}

    package var isEmpty: Bool { unsettled.isEmpty }
    package var count: Int { unsettled.count }
    /// The memory of the entries, in bytes.
    package var bytes: Int { count * Limits.missingBytes }

    package func contains(_ name: EnvelopeName) -> Bool { unsettled.contains(name) }

    /// The position up to which nothing is missing, if `highest` has arrived.
    package func complete(upTo highest: UInt64) -> UInt64 {
        start < entries.count ? entries[start].after : highest
    }

    /// Adds an envelope: the feed is incomplete after `highest`.
    package mutating func add(_ name: EnvelopeName, after highest: UInt64) {
        guard unsettled.insert(name).inserted else { return }
        entries.append((highest, name))
    }

    /// Notes that the envelope arrived on any link, or is not needed any more.
    package mutating func settled(_ name: EnvelopeName) {
        guard unsettled.remove(name) != nil else { return }
        dropSettled()
    }

    /// The names of the envelopes that were announced first; none unless the very first one was the
    /// same for `standstillMin`.
    ///
    /// They are four, and twice as many each time that the feed stands still again soon.
    package mutating func standingStill(at now: Moment) -> [EnvelopeName] {
        let oldest = entries[start...].first { unsettled.contains($0.name) }?.name
        if oldest != standstill.oldest {
            standstill.oldest = oldest
            standstill.since = now
        }
        guard oldest != nil, standstill.since + Self.standstillMin <= now else { return [] }
        let isAgain = standstill.last.map { now <= $0 + Self.standstillMin * 3 } ?? false
        standstill.count = isAgain ? min(2 * standstill.count, WantQueue.unansweredMax) : 4
        standstill.last = now
        standstill.since = now
        var names: [EnvelopeName] = []
        for entry in entries[start...] where unsettled.contains(entry.name) {
            names.append(entry.name)
            if names.count == standstill.count { break }
        }
        return names
    }

    /// Drops settled entries at the beginning, and all of them if they are most.
    private mutating func dropSettled() {
        while start < entries.count, !unsettled.contains(entries[start].name) { start += 1 }
        if entries.count - start > 2 * unsettled.count + Self.settledMax {
            entries = entries[start...].filter { unsettled.contains($0.name) }
            start = 0
        } else if start * 2 > entries.count {
            entries.removeFirst(start)
            start = 0
        }
        // An idle link keeps no capacity.
        if unsettled.isEmpty { unsettled = [] }
        if entries.isEmpty { entries = [] }
    }
}
