/// This node's feed on its way to one peer.
package struct OutgoingFeed: Sendable {
    /// Tells that wait for company at most this long.
    package static let tellDelay = Interval.milliseconds(50)
    /// Sessions told and not yet stored by the peer; more wait.
    package static let toldMax = 8_192

    /// Whether the peer has asked for the feed.
    package var isRequested = false
    /// Everything up to here was sent or told, or need not be.
    package private(set) var sent: UInt64 = 0
    /// The position that the peer was told last: `sent`, or less while that steps over a change
    /// that is not on disk.
    package private(set) var claimed: UInt64 = 0
    /// Everything up to here is told by who is not its author: it was there before the link.
    package private(set) var replayEnd: UInt64 = 0
    /// The peer has everything up to here on disk.
    package private(set) var stored: UInt64 = 0
    package var isPeerFull = false
    /// Entries that wait to be told, ascending by position.
    package private(set) var tells: [HaveEntry] = []
    package private(set) var tellDeadline: Moment?
    /// Positions of envelopes that were told and that the peer has not confirmed, ascending.
    private var unconfirmed: [UInt64] = []
    /// Heads of the next session that were sent already: not all of them had room.
    package private(set) var begun: (session: Int32, positions: [UInt64])?
    /// Origins whose record the peer has from this link.
    package var sentOrigins: Set<OriginID> = []
    /// Origins whose envelopes the peer gets from somebody else, so that they are told only.
    package var pruned: Set<OriginID> = []
    /// Sessions that were pushed and are not confirmed yet.
    private var inFlight = SessionsInFlight()
    /// What the peer asked for by name.
    package var wanted: [(session: Int32, name: EnvelopeName)] = []
    /// Asked for at a time; a peer that asks for more broke the protocol.
    package static let wantedMax = 4 * toldMax
    /// Buckets that differed at the last audit.
    package var suspectBuckets: [Int] = []
    /// A session whose envelopes are being read back before the feed goes on.
    package var awaitedRow: Int64?

    package init() {}

    /// Whether as much was told as may be before the peer confirms some of it.
    package var isToldFull: Bool { unconfirmed.count >= Self.toldMax }

    /// Envelopes that were told and that the peer has not confirmed.
    package var toldCount: Int { unconfirmed.count }

    /// The peer asks for everything after `position`; `latest` is the end of the feed now.
    package mutating func requested(after position: UInt64, latest: UInt64) {
        isRequested = true
        sent = position
        claimed = position
        stored = position
        replayEnd = latest
    }

    /// The peer answers again after a silence: what came meanwhile is not live any more.
    package mutating func resumed(latest: UInt64) {
        guard isRequested else { return }
        replayEnd = latest
    }

    /// Everything up to `position` was sent or told, or need not be.
    package mutating func passed(_ position: UInt64) {
        sent = position
        begun = nil
    }

    /// The peer is told a position, or none if it is 0.
    package mutating func claims(_ position: UInt64) {
        claimed = max(claimed, position)
    }

    /// One of several heads of a session was sent.
    ///
    /// It is known by its position: the dot may by then be that of another envelope.
    package mutating func began(_ session: Int32, with position: UInt64) {
        if begun?.session == session {
            begun?.positions.append(position)
        } else {
            begun = (session, [position])
        }
    }

    /// Whether the head at a position of the session that was begun is sent.
    package func hasSent(_ position: UInt64, of session: Int32) -> Bool {
        begun?.session == session && begun?.positions.contains(position) ?? false
    }

    /// Whether a replacement has to wait until what it replaces is on the peer's disk.
    ///
    /// A full peer confirms nothing more, and takes replacements all the same.
    package func awaitsConfirmation(of session: Int32) -> Bool {
        !isPeerFull && inFlight.contains(session)
    }

    func awaitsConfirmation(ofAny segment: EncodedSegment) -> Bool {
        !isPeerFull && inFlight.containsAny(of: segment)
    }

    /// The message of a session was pushed.
    package mutating func pushed(_ session: Int32, at position: UInt64) {
        guard !isPeerFull else { return }
        inFlight.pushed(session, at: position)
    }

    /// All of a segment was pushed.
    mutating func pushed(_ segment: EncodedSegment) {
        guard !isPeerFull else { return }
        inFlight.pushed(segment)
    }

    /// The peer has everything up to `position` on disk.
    ///
    /// - Returns: whether that is news.
    package mutating func confirmed(_ position: UInt64) -> Bool {
        guard position > stored else { return false }
        stored = position
        inFlight.confirmed(upTo: position)
        unconfirmed.removeFirst(unconfirmed.prefix { $0 <= position }.count)
        // An idle link keeps no room.
        if unconfirmed.isEmpty { unconfirmed = [] }
        return true
    }

    /// Puts an entry in line to be told; `position` is where it is in the feed, if it is of it.
    package mutating func tell(_ entry: HaveEntry, of position: UInt64? = nil, at now: Moment) {
        tells.append(entry)
        claims(entry.position)
        if let position { unconfirmed.append(position) }
        if tellDeadline == nil { tellDeadline = now + Self.tellDelay }
    }

    /// The entries in line if they are to be sent now: there are many, they waited long, or nothing
    /// is live yet.
    package mutating func takeTells(at now: Moment, force: Bool) -> [HaveEntry] {
        guard !tells.isEmpty, let deadline = tellDeadline,
            force || sent <= replayEnd || deadline <= now || tells.count >= Limits.haveEntries
        else { return [] }
        defer { tells = [] }
        tellDeadline = nil
        return tells
    }
}
