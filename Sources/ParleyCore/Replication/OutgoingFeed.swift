/// The progress of one peer in this node's feed.
package struct OutgoingFeed: Sendable {
    /// The longest time for which entries wait to be announced together.
    package static let announcementDelay = Interval.milliseconds(50)
    /// Entries of one short frame, so that the peer can ask for the first envelopes soon.
    package static let announcementsPerFrame = 256

    /// Whether the peer has asked for the feed.
    package var isRequested = false
    /// Everything up to this position was pushed or announced, or need not be.
    package private(set) var sent: UInt64 = 0
    /// The highest position that a frame named to the peer; `sent` also counts skipped entries, and
    /// entries that were sent with position 0.
    package private(set) var claimed: UInt64 = 0
    /// The end of the replay: envelopes up to this position are announced, as the peer may get them
    /// from another node as well.
    package private(set) var replayEnd: UInt64 = 0
    /// The position up to which the peer has confirmed the feed.
    package private(set) var stored: UInt64 = 0
    /// The position up to which this node awaits the confirmation.
    ///
    /// The peer may confirm later announcements at any time.
    package private(set) var awaited: UInt64 = 0
    /// The highest position that was pushed, or sent with a request: the peer confirms soon.
    private var asked: UInt64 = 0
    /// The highest position whose confirmation somebody at this node waits for.
    private var urgent: UInt64 = 0
    /// The highest position whose confirmation was requested.
    private var requestedEnd: UInt64 = 0
    /// The changes that are announced later, as the peer most likely has them.
    var deferred = DeferredAnnouncements()
    package var isPeerFull = false
    /// Whether the feed waits for credit to announce its next change.
    package var awaitsNames = false
    /// Entries that wait to be announced, in order.
    package private(set) var announcements: [HaveEntry] = []
    package private(set) var announcementDeadline: Moment?
    /// The position of the next session while only some of its heads are sent, with the names of
    /// these heads.
    package private(set) var begun: (position: UInt64, names: [EnvelopeName])?
    /// Origins whose record was sent on this link.
    package var sentOrigins: Set<OriginID> = []
    /// Origins whose envelopes are only announced: the peer gets them from another node.
    package var pruned: Set<OriginID> = []
    /// Sessions that were pushed and are not confirmed yet.
    private var inFlight = SessionsInFlight()
    /// The envelopes that the peer asked for by name.
    package var wanted: [(session: Int32, name: EnvelopeName)] = []
    /// Unanswered wants of the peer at most; a request for more breaks the protocol.
    package static let wantedMax = 32_768
    /// Buckets that differed at the last audit, and the index of the session with which the next
    /// repair begins.
    package var suspects: (buckets: [Int], start: Int) = ([], 0)
    /// The row of a session whose envelopes are being read back; the feed waits for it.
    package var awaitedRow: Int64?

    package init() {}

    /// The peer asks for everything after `position`; `latest` is the end of the feed now.
    package mutating func requested(after position: UInt64, latest: UInt64) {
        isRequested = true
        sent = position
        claimed = position
        stored = position
        awaited = latest
        asked = position
        replayEnd = latest
    }

    /// The peer answers again after a silence: changes up to `latest` count as replay.
    package mutating func resumed(latest: UInt64) {
        guard isRequested else { return }
        replayEnd = latest
        deferred.lookAgain()
    }

    /// Everything up to `position` was pushed or announced, or need not be.
    package mutating func passed(_ position: UInt64) {
        sent = position
        begun = nil
        deferred.passed(position)
    }

    /// Notes that this node waits until the peer has confirmed `position`.
    package mutating func awaits(_ position: UInt64) { awaited = max(awaited, position) }

    /// Whether this node waits for a confirmation.
    package var isAwaiting: Bool { stored < awaited }

    /// Whether a watermark is due: the peer has not confirmed an awaited position that was sent,
    /// and no push and no request has named it.
    ///
    /// The confirmation of the replay is requested at the end of the replay.
    package var owesWatermark: Bool {
        sent >= replayEnd && asked < min(sent, awaited) && stored < awaited
            || isUrgent(upTo: sent)
    }

    /// Whether somebody waits for a confirmation up to `position` that no frame has requested.
    package func isUrgent(upTo position: UInt64) -> Bool {
        requestedEnd < urgent && urgent <= position && stored < urgent
    }

    /// Notes that somebody waits for the confirmation of `position`, which may be yet to send.
    package mutating func asksToConfirm(_ position: UInt64) { urgent = max(urgent, position) }

    /// Notes that the peer needs pushes of an origin again.
    package mutating func graft(_ origin: OriginID) {
        guard pruned.remove(origin) != nil else { return }
        deferred.lookAgain()
    }

    /// Notes a position that is sent to the peer; 0 is none.
    package mutating func claims(_ position: UInt64) { claimed = max(claimed, position) }

    /// Notes a position that is sent with a pushed envelope; 0 is none.
    package mutating func claims(pushed position: UInt64) {
        claims(position)
        asked = max(asked, position)
    }

    /// Notes that the confirmation of a position is requested.
    package mutating func requests(_ position: UInt64) {
        asked = max(asked, position)
        requestedEnd = max(requestedEnd, position)
    }

    /// Notes that one of several heads was sent, of the session at `position`.
    package mutating func began(_ position: UInt64, with name: EnvelopeName) {
        if begun?.position == position {
            begun?.names.append(name)
        } else {
            begun = (position, [name])
        }
    }

    /// Whether a head was sent of the session at `position`, of which only some heads are sent.
    package func hasSent(_ name: @autoclosure () -> EnvelopeName?, at position: UInt64) -> Bool {
        guard let begun, begun.position == position, let name = name() else { return false }
        return begun.names.contains(name)
    }

    /// Whether a replacement has to wait until the peer has confirmed the message that it replaces.
    ///
    /// A full peer confirms nothing more, but still takes replacements.
    package func awaitsConfirmation(of session: Int32) -> Bool {
        !isPeerFull && inFlight.contains(session)
    }

    func awaitsConfirmation(ofAny segment: EncodedSegment) -> Bool {
        !isPeerFull && inFlight.containsAny(of: segment)
    }

    /// The message of a session was pushed.
    package mutating func pushed(_ session: Int32, at position: UInt64) {
        awaits(position)
        guard !isPeerFull else { return }
        inFlight.pushed(session, at: position)
    }

    /// All envelopes of a segment were pushed.
    mutating func pushed(_ segment: EncodedSegment) {
        awaits(segment.end)
        guard !isPeerFull else { return }
        inFlight.pushed(segment)
    }

    /// Notes that the peer has everything up to `position` on disk.
    ///
    /// - Returns: whether the position is higher than before.
    package mutating func confirmed(_ position: UInt64) -> Bool {
        guard position > stored else { return false }
        stored = position
        inFlight.confirmed(upTo: position)
        return true
    }

    /// Queues an entry to be announced; `isOwn` says whether this node wrote the head.
    ///
    /// An own head's entry requests the confirmation, as an author wants to know who has the head.
    /// So does the entry with which everything awaited is sent.
    package mutating func announce(_ entry: HaveEntry, isOwn: Bool = false, at now: Moment) {
        var entry = entry
        claims(entry.position)
        if entry.position > 0, isOwn || asked < awaited && awaited <= entry.position {
            entry.isAwaited = true
        }
        if entry.isAwaited { requests(entry.position) }
        announcements.append(entry)
        if announcementDeadline == nil { announcementDeadline = now + Self.announcementDelay }
    }

    /// Queues a watermark: the position up to which everything was sent.
    ///
    /// If somebody waits for the confirmation, the whole queue is due at once.
    package mutating func announceWatermark(at now: Moment) {
        let isUrgent = isUrgent(upTo: sent)
        announce(.watermark(position: sent), at: now)
        if isUrgent { announcementDeadline = now }
    }

    /// Takes the queued entries if the replay lasts, they are many, they waited long, or by
    /// `force`.
    package mutating func takeAnnouncements(at now: Moment, force: Bool) -> [HaveEntry] {
        guard !announcements.isEmpty, let deadline = announcementDeadline,
            force || sent <= replayEnd || deadline <= now
                || announcements.count >= Limits.haveEntries
        else { return [] }
        defer { announcements = [] }
        announcementDeadline = nil
        return announcements
    }
}
