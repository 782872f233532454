/// The end of a feed that need not be sent yet: the peer most likely has those changes from another
/// node, and they are announced together when the first one has waited long enough.
package struct DeferredAnnouncements: Sendable {
    /// The feed was examined up to this position.
    package private(set) var examinedEnd: UInt64 = 0
    /// Changes up to this position must be sent now.
    package private(set) var urgentEnd: UInt64 = 0
    /// The position of the last change that may wait.
    private var last: UInt64 = 0
    /// When the changes that wait are to be announced; nil if there are none.
    package private(set) var due: Moment?

    package init() {}

    package func isDue(at now: Moment) -> Bool { due.map { $0 <= now } ?? false }

    /// Whether nothing has to be sent now of a feed that was sent up to `sent` and has come to
    /// `latest`.
    package func mayWait(from sent: UInt64, to latest: UInt64, at now: Moment) -> Bool {
        examinedEnd >= latest && urgentEnd <= sent && due != nil && !isDue(at: now)
    }

    /// The change at `position` has to be sent at once, and so everything before it.
    package mutating func becameUrgent(at position: UInt64) { urgentEnd = max(urgentEnd, position) }

    /// The change at `position` may wait until `due`.
    package mutating func postponed(at position: UInt64, until due: Moment) {
        last = max(last, position)
        self.due = min(self.due ?? due, due)
    }

    /// The feed was examined up to `latest`.
    ///
    /// - Returns: the position up to which the feed, sent up to `sent`, is to be sent now.
    package mutating func looked(upTo latest: UInt64, sent: UInt64) -> UInt64 {
        examinedEnd = latest
        guard last <= max(sent, urgentEnd) else { return urgentEnd }
        due = nil
        return latest
    }

    /// Everything up to `position` was sent, or need not be.
    package mutating func passed(_ position: UInt64) {
        if last <= position { due = nil }
    }

    /// Changes may have become more urgent: they are looked at again.
    package mutating func lookAgain() { examinedEnd = 0 }

    /// Changes that wait are due at the latest then.
    package mutating func hasten(to moment: Moment) {
        due = due.map { min($0, moment) }
    }
}
