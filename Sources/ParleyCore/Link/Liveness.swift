/// Watches whether the peer of a link answers: heartbeats and suspicion.
///
/// A silent peer is *suspect* before it counts as dead, as in SWIM (A. Das, I. Gupta, A. Motivala:
/// "SWIM: Scalable Weakly-consistent Infection-style Process Group Membership Protocol", DSN 2002).
/// There other members probe a suspect as well, and the group is told. Here each node judges only
/// its own links: a suspect is dialled beside the link, and any received byte ends the suspicion.
package struct Liveness: Sendable {
    /// Silence after which a ping is sent.
    package static let idle = Interval.seconds(5)
    /// Silence after which a link is pinged along with another, so that the node wakes up once.
    package static let idleBeside = Interval.seconds(4)
    /// Silence after which the link is dead.
    package static let dead = Interval.seconds(15)
    /// How long an answer may take before a ping, and a receipt before the kernel is asked.
    package static let probe = Interval.milliseconds(500)
    /// How long an answer may take before the link is suspect and its device is dialled as well.
    package static let suspicion = Interval.seconds(1)

    package private(set) var lastHeard: Moment
    /// Since when an answer is due; nil if none is.
    private var awaitingSince: Moment?
    /// When the first frame was sent whose receipt matters; nil once something was heard, or the
    /// kernel was asked.
    private var receiptSince: Moment?
    /// When the first frame was sent about which the kernel was asked last; nil once something was
    /// heard.
    private var askedSince: Moment?
    private var isPinged = false
    package private(set) var isSuspect = false

    package enum Verdict: Sendable, Equatable {
        case well
        case ping
        /// Ask the kernel whether the peer's machine has acknowledged what was sent.
        case askForReceipt
        case suspect
        case dead
    }

    package init(at now: Moment) {
        lastHeard = now
    }

    package mutating func heard(at now: Moment) {
        lastHeard = now
        awaitingSince = nil
        receiptSince = nil
        askedSince = nil
        isSuspect = false
    }

    /// Something was sent that the peer has to answer.
    package mutating func expectsAnswer(at now: Moment) {
        if awaitingSince == nil { awaitingSince = now }
    }

    /// Something was sent that the peer's machine acknowledges, but the peer does not answer.
    package mutating func expectsReceipt(at now: Moment) {
        if receiptSince == nil { receiptSince = now }
    }

    /// A receipt is missing: an answer counts as due since the frames in question were sent.
    ///
    /// - Returns: whether to send a ping; false if something was heard since, or a ping is under
    ///   way already.
    package mutating func receiptIsMissing() -> Bool {
        guard let since = askedSince else { return false }
        askedSince = nil
        awaitingSince = min(awaitingSince ?? since, since)
        return !isPinged
    }

    package mutating func pingSent(at now: Moment) {
        isPinged = true
        expectsAnswer(at: now)
    }

    /// The peer answered the ping, so that the next silence is pinged again.
    package mutating func pongReceived() { isPinged = false }

    /// The verdict on the silence so far: `suspect` and `askForReceipt` once, and `ping` until a
    /// ping is sent.
    package mutating func check(at now: Moment) -> Verdict {
        if lastHeard + Self.dead <= now { return .dead }
        if let since = awaitingSince, since + Self.suspicion <= now, !isSuspect {
            isSuspect = true
            return .suspect
        }
        guard !isPinged else { return .well }
        guard now < pingDue else { return .ping }
        guard let since = receiptSince, since + Self.probe <= now else { return .well }
        receiptSince = nil
        askedSince = since
        return .askForReceipt
    }

    /// Whether to ping along with another link.
    package func isIdleBeside(at now: Moment) -> Bool {
        !isPinged && awaitingSince == nil && lastHeard + Self.idleBeside <= now
    }

    /// When to ping if nothing arrives before.
    private var pingDue: Moment {
        min(lastHeard + Self.idle, awaitingSince.map { $0 + Self.probe } ?? lastHeard + Self.idle)
    }

    /// When to check next.
    package var deadline: Moment {
        var deadline = lastHeard + Self.dead
        if !isPinged {
            deadline = min(deadline, pingDue)
            if let since = receiptSince { deadline = min(deadline, since + Self.probe) }
        }
        if let since = awaitingSince, !isSuspect {
            deadline = min(deadline, since + Self.suspicion)
        }
        return deadline
    }
}
