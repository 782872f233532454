/// Entries that wait to be announced to a peer together, in order.
package struct AnnouncementQueue: Sendable {
    package private(set) var entries: [HaveEntry] = []
    /// When the entries have waited long enough.
    package private(set) var deadline: Moment?
    /// Whether the feed waits for credit to announce its next change.
    package var awaitsCredit = false

    /// The longest time for which entries wait to be announced together.
    package static let delay = Interval.milliseconds(50)

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// Adds an entry, for which the queue waits at most `delay`.
    package mutating func add(_ entry: HaveEntry, at now: Moment) {
        entries.append(entry)
        if deadline == nil { deadline = now + Self.delay }
    }

    /// Makes the whole queue due.
    package mutating func hurry(at now: Moment) { deadline = now }

    /// Takes the entries if they are many, have waited long, or by `force`.
    package mutating func take(at now: Moment, force: Bool) -> [HaveEntry] {
        guard !entries.isEmpty, let deadline,
            force || deadline <= now || entries.count >= Limits.haveEntries
        else { return [] }
        defer { entries = [] }
        self.deadline = nil
        return entries
    }
}
