/// The time of the next audit, in which members compare their stores.
package struct AuditTimer: Sendable {
    private(set) var due: Moment?
    /// Whether the audit that is due was brought forward.
    private var isEarly = false
    /// How many audits may still be brought forward.
    private var earlyLeft = earlyMax

    /// How many audits in a row may be early: a peer cannot ask for many, and after two a head that
    /// is missing here comes back.
    private static let earlyMax = 2

    /// How often two stores that are level are compared.
    private static let interval = Interval.seconds(30)
    /// The time to the audit that confirms a difference.
    private static let confirmation = Interval.seconds(5)

    package init() {}

    /// Returns whether an audit is due, and clears its deadline if it is.
    package mutating func takeDue(at now: Moment) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        if !isEarly { earlyLeft = Self.earlyMax }
        isEarly = false
        return true
    }

    /// Plans the next audit if none is planned.
    package mutating func plan(at now: Moment, random: inout some RandomNumberGenerator) {
        guard due == nil else { return }
        due = now + Self.interval + .milliseconds(Int64.random(in: 0...5_000, using: &random))
    }

    /// A peer's sums differ from those here: the next audit is soon.
    ///
    /// Where the peer has a head that is missing here, only a second audit from here makes the peer
    /// announce the head. If the first difference was seen here, that is the second early one.
    package mutating func differed(at now: Moment) {
        let early = now + Self.confirmation
        guard earlyLeft > 0, let due, early < due else { return }
        self.due = early
        isEarly = true
        earlyLeft -= 1
    }
}
