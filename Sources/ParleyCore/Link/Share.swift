/// One conversation on one link: how far each side has the other's feed.
package struct Share: Sendable {
    /// The number of the conversation in this data directory.
    package let conversation: UInt32
    /// Its number in frames of this side, and in frames of the peer.
    package let ownNumber: UInt32
    let peerNumber: UInt32
    var outgoing = OutgoingFeed()
    var incoming: IncomingFeed

    init(conversation: UInt32, ownNumber: UInt32, peerNumber: UInt32, cursor: FeedCursor) {
        self.conversation = conversation
        self.ownNumber = ownNumber
        self.peerNumber = peerNumber
        incoming = IncomingFeed(cursor: cursor)
    }
}

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
    package var servedElsewhere: Set<OriginID> = []
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

    package func hasSent(_ position: UInt64, of session: Int32) -> Bool {
        begun?.session == session && begun?.positions.contains(position) ?? false
    }

    /// Whether a replacement has to wait until what it replaces is on the peer's disk.
    ///
    /// A full peer confirms nothing more, and takes replacements all the same.
    package func awaitsWord(of session: Int32) -> Bool { !isPeerFull && inFlight.contains(session) }

    func awaitsWord(ofAny run: EncodedRun) -> Bool { !isPeerFull && inFlight.containsAny(of: run) }

    /// The message of a session was pushed.
    package mutating func pushed(_ session: Int32, at position: UInt64) {
        guard !isPeerFull else { return }
        inFlight.pushed(session, at: position)
    }

    /// All of a run was pushed.
    mutating func pushed(_ run: EncodedRun) {
        guard !isPeerFull else { return }
        inFlight.pushed(run)
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

/// The peer's feed on its way to this node.
package struct IncomingFeed: Sendable {
    /// What was asked for: everything after it.
    package let cursor: FeedCursor
    /// The peer's present run, once it is known.
    package private(set) var run: UInt64?
    /// Everything up to here was there before the link.
    package private(set) var replayEnd: UInt64 = 0
    /// When the peer answered again after a silence, the last time.
    private var resumedAt: Moment?
    /// The highest position that was sent or told.
    package private(set) var seen: UInt64
    /// Envelopes that were told and have not come, with the position that had been told before
    /// each, ascending.
    private var missing: [(after: UInt64, name: EnvelopeName)] = []
    /// Those before it in `missing` came.
    private var missingStart = 0
    /// Those in `missing` that still count.
    private var missingNames: Set<EnvelopeName> = []
    /// Positions that are on disk when their ticket is committed, ascending.
    private var uncommitted: [(ticket: Ticket, position: UInt64)] = []
    /// On disk, and said so.
    package private(set) var stored: UInt64
    /// Wants that wait to be sent.
    package var wants: [HaveEntry] = []
    /// Nothing is confirmed any more: something could not be taken.
    package var isHeld = false
    package var hasSaidFull = false
    /// The position that was last written to disk, or is on its way there.
    package var saved: UInt64

    /// Told and missing at a time on one link; a peer that tells more broke the protocol.
    package static let missingMax = 4 * OutgoingFeed.toldMax

    package init(cursor: FeedCursor) {
        self.cursor = cursor
        seen = cursor.position
        stored = cursor.position
        saved = cursor.position
    }

    /// The peer numbers its changes in `run`, and has come to `latest`.
    ///
    /// If the cursor is of another run, nothing is taken as known on this link until the peer says
    /// how far it has come.
    package mutating func began(run: UInt64, latest: UInt64) {
        self.run = run
        replayEnd = latest
        guard run != cursor.run else { return }
        seen = 0
        stored = 0
        saved = 0
    }

    package mutating func received(position: UInt64) {
        seen = max(seen, position)
    }

    /// Whether the peer has not yet told all that was there before the link.
    package var isReplaying: Bool { seen < replayEnd }

    /// The peer answers again after a silence.
    package mutating func resumed(at now: Moment) { resumedAt = now }

    /// Whether a position is of what changed before the link began, or while it was silent, as far
    /// as can be told: for a while after a silence everything counts.
    package func isReplay(_ position: UInt64, at now: Moment) -> Bool {
        position <= replayEnd || resumedAt.map { now < $0 + WantTable.patience } ?? false
    }

    package var isMissingAny: Bool { !missingNames.isEmpty }

    package var missingCount: Int { missingNames.count }

    package func isMissing(_ name: EnvelopeName) -> Bool { missingNames.contains(name) }

    /// An envelope was told that is not here; nothing behind what was seen before is complete
    /// without it.
    ///
    /// - Returns: false when too many are missing.
    package mutating func misses(_ name: EnvelopeName) -> Bool {
        guard !missingNames.contains(name) else { return true }
        guard missing.count - missingStart < Self.missingMax else { return false }
        missing.append((seen, name))
        missingNames.insert(name)
        return true
    }

    /// The envelope came, from wherever, or is of no use any more.
    package mutating func settled(_ name: EnvelopeName) {
        guard missingNames.remove(name) != nil else { return }
        while missingStart < missing.count, !missingNames.contains(missing[missingStart].name) {
            missingStart += 1
        }
        if missingStart * 2 > missing.count {
            missing.removeFirst(missingStart)
            missingStart = 0
        }
    }

    /// How far everything is here, on disk or on its way there.
    package var complete: UInt64 {
        missingStart < missing.count ? missing[missingStart].after : seen
    }

    /// How far the peer's feed is here, if the disk does not know it.
    package var unsavedCursor: FeedCursor? {
        guard let run, !isHeld, seen > saved else { return nil }
        let complete = complete
        return complete > saved ? FeedCursor(run: run, position: complete) : nil
    }

    /// Whether the peer does not know that something could not be taken.
    package var shouldSayFull: Bool { isHeld && !hasSaidFull }

    /// Notes that everything complete is on disk once `ticket` is.
    package mutating func follows(_ ticket: Ticket) {
        guard !isHeld, seen > stored else { return }
        let position = complete
        guard position > (uncommitted.last?.position ?? stored) else { return }
        if uncommitted.last?.ticket == ticket {
            uncommitted[uncommitted.count - 1].position = position
        } else {
            uncommitted.append((ticket, position))
        }
    }

    /// The position to confirm now that `ticket` is on disk, if it is a new one.
    package mutating func committed(_ ticket: Ticket) -> UInt64? {
        var position: UInt64?
        while let first = uncommitted.first, first.ticket <= ticket {
            position = first.position
            uncommitted.removeFirst()
        }
        guard let position, position > stored else { return nil }
        stored = position
        return position
    }
}
