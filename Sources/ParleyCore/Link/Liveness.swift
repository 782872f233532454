/// Watches whether the peer of a link answers: heartbeats and suspicion.
package struct Liveness: Sendable {
    /// Silence after which a ping is sent.
    package static let idle = Interval.seconds(5)
    /// Silence after which the link is dead.
    package static let dead = Interval.seconds(15)
    /// How long an answer may take before a ping is sent.
    package static let probe = Interval.milliseconds(500)
    /// How long an answer may take before the link is suspect and its device is dialled as well.
    package static let suspicion = Interval.seconds(1)

    private var lastHeard: Moment
    /// Since when an answer is due; nil if none is.
    private var awaitingSince: Moment?
    private var pingSent: Moment?
    package private(set) var isSuspect = false
    /// The latest round trip, nil before the first.
    package private(set) var roundTrip: Interval?

    package enum Verdict: Sendable, Equatable {
        case well
        case ping
        case suspect
        case dead
    }

    package init(at now: Moment) {
        lastHeard = now
    }

    package mutating func heard(at now: Moment) {
        lastHeard = now
        awaitingSince = nil
        isSuspect = false
    }

    /// Something was sent that the peer has to answer.
    package mutating func expectsAnswer(at now: Moment) {
        if awaitingSince == nil { awaitingSince = now }
    }

    package mutating func pingSent(at now: Moment) {
        pingSent = now
        expectsAnswer(at: now)
    }

    package mutating func pongReceived(at now: Moment) {
        if let sent = pingSent { roundTrip = now - sent }
        pingSent = nil
    }

    /// The verdict on the silence so far: `suspect` once, and `ping` until a ping is sent.
    package mutating func check(at now: Moment) -> Verdict {
        if lastHeard + Self.dead <= now { return .dead }
        if let since = awaitingSince, since + Self.suspicion <= now, !isSuspect {
            isSuspect = true
            return .suspect
        }
        guard pingSent == nil else { return .well }
        return pingDue <= now ? .ping : .well
    }

    /// When to ping if nothing arrives before.
    private var pingDue: Moment {
        min(lastHeard + Self.idle, awaitingSince.map { $0 + Self.probe } ?? lastHeard + Self.idle)
    }

    /// When to check next.
    package var deadline: Moment {
        var deadline = lastHeard + Self.dead
        if pingSent == nil { deadline = min(deadline, pingDue) }
        if let since = awaitingSince, !isSuspect {
            deadline = min(deadline, since + Self.suspicion)
        }
        return deadline
    }
}
