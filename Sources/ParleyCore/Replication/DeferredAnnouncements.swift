/// The end of a feed that may be announced later, as the peer most likely has the changes.
package struct DeferredAnnouncements: Sendable {
    /// The feed was examined up to this position.
    package private(set) var examinedEnd: UInt64 = 0
    /// Changes up to this position must be sent now.
    package private(set) var urgentEnd: UInt64 = 0
    /// The position of the last change that may wait.
    private var last: UInt64 = 0
    /// When the waiting changes are to be announced; nil if none waits.
    package private(set) var due: Moment?
    /// How long changes wait.
    package private(set) var delay: AnnouncementDelay

    package init(delay: AnnouncementDelay = .neighbourFirst) { self.delay = delay }

    /// Changes how long changes wait, including those that wait already.
    package mutating func announces(after delay: AnnouncementDelay, at now: Moment) {
        guard delay != self.delay else { return }
        self.delay = delay
        hasten(to: now + delay.interval)
    }

    package func isDue(at now: Moment) -> Bool { due.map { $0 <= now } ?? false }

    /// Whether a feed that was sent up to `sent` and ends at `latest` may rest for now.
    package func mayWait(from sent: UInt64, to latest: UInt64, at now: Moment) -> Bool {
        examinedEnd >= latest && urgentEnd <= sent && due != nil && !isDue(at: now)
    }

    /// Notes that everything up to `position` has to be sent at once.
    package mutating func becameUrgent(at position: UInt64) { urgentEnd = max(urgentEnd, position) }

    /// Notes that the change at `position` may wait until `due`.
    package mutating func postponed(at position: UInt64, until due: Moment) {
        last = max(last, position)
        self.due = min(self.due ?? due, due)
    }

    /// Notes that the feed was examined up to `latest`.
    ///
    /// - Returns: the position up to which the feed, sent up to `sent`, is to be sent now.
    package mutating func looked(upTo latest: UInt64, sent: UInt64) -> UInt64 {
        examinedEnd = latest
        guard last <= max(sent, urgentEnd) else { return urgentEnd }
        due = nil
        return latest
    }

    /// Notes that everything up to `position` was sent, or need not be.
    package mutating func passed(_ position: UInt64) {
        if last <= position { due = nil }
    }

    /// Has all changes examined again, as some may have become more urgent.
    package mutating func lookAgain() { examinedEnd = 0 }

    /// Makes the waiting changes due at `moment` at the latest.
    package mutating func hasten(to moment: Moment) {
        due = due.map { min($0, moment) }
    }
}
