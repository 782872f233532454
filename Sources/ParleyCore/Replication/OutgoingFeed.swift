/// This node's feed, as far as it was sent to one peer.
package struct OutgoingFeed: Sendable {
    /// The longest time for which entries wait to be announced together.
    package static let announcementDelay = Interval.milliseconds(50)
    /// Entries of one frame, so that the peer can ask for the first ones soon.
    package static let announcementsPerFrame = 256

    /// Whether the peer has asked for the feed.
    package var isRequested = false
    /// Everything up to this position was pushed or announced, or need not be.
    package private(set) var sent: UInt64 = 0
    /// The highest position that was sent to the peer: `sent`, or less while `sent` has passed a
    /// change that is not on disk.
    package private(set) var claimed: UInt64 = 0
    /// Envelopes up to this position are announced, not pushed: they existed before the link, so
    /// the peer may get them from another node as well.
    package private(set) var replayEnd: UInt64 = 0
    /// The peer has everything up to here on disk, as far as it said so.
    package private(set) var stored: UInt64 = 0
    /// This node awaits the confirmation of everything up to this position.
    ///
    /// The peer may confirm later announcements at any time.
    package private(set) var awaited: UInt64 = 0
    /// The highest position that was pushed, which the peer confirms soon, or whose confirmation
    /// was requested.
    private var asked: UInt64 = 0
    /// Somebody at this node waits to hear that the peer has this position on disk.
    private var urgent: UInt64 = 0
    /// The highest position whose confirmation was requested.
    private var requestedEnd: UInt64 = 0
    /// The changes that are announced later, as the peer most likely has them.
    var deferred = DeferredAnnouncements()
    package var isPeerFull = false
    /// Whether the next change is to be announced and the credit for that is used up.
    package var awaitsNames = false
    /// Entries that wait to be announced, in order.
    package private(set) var announcements: [HaveEntry] = []
    package private(set) var announcementDeadline: Moment?
    /// The next session, if only some of its heads could be sent yet, and the names of those.
    package private(set) var begun: (session: Int32, names: [EnvelopeName])?
    /// Origins whose record was sent on this link.
    package var sentOrigins: Set<OriginID> = []
    /// Origins whose envelopes the peer gets from another node: they are announced, not pushed.
    package var pruned: Set<OriginID> = []
    /// Sessions that were pushed and are not confirmed yet.
    private var inFlight = SessionsInFlight()
    /// The envelopes that the peer asked for by name.
    package var wanted: [(session: Int32, name: EnvelopeName)] = []
    /// Unanswered wants of the peer; a peer that asks for more broke the protocol.
    package static let wantedMax = 32_768
    /// Buckets that differed at the last audit.
    package var suspectBuckets: [Int] = []
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

    /// Whether a watermark is due: what is awaited was sent, and no frame asked for the
    /// confirmation, which has not come.
    ///
    /// That of the replay is asked for at its end.
    package var owesWatermark: Bool {
        sent >= replayEnd && asked < min(sent, awaited) && stored < awaited
            || isUrgent(upTo: sent)
    }

    /// Whether somebody waits for the confirmation of a position up to this one, and no frame
    /// requested it.
    package func isUrgent(upTo position: UInt64) -> Bool {
        requestedEnd < urgent && urgent <= position && stored < urgent
    }

    /// Somebody waits to hear that the peer has `position` on disk, once it is sent.
    package mutating func asksToConfirm(_ position: UInt64) { urgent = max(urgent, position) }

    /// The peer gets the envelopes of an origin from this node again.
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

    /// Notes that one of several heads of a session was sent.
    package mutating func began(_ session: Int32, with name: EnvelopeName) {
        if begun?.session == session {
            begun?.names.append(name)
        } else {
            begun = (session, [name])
        }
    }

    /// Whether a head was sent, of a session with some heads sent and some not.
    package func hasSent(_ name: @autoclosure () -> EnvelopeName?, of session: Int32) -> Bool {
        guard let begun, begun.session == session, let name = name() else { return false }
        return begun.names.contains(name)
    }

    /// Whether a replacement has to wait until the message it replaces is on the peer's disk.
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

    /// The peer has everything up to `position` on disk.
    ///
    /// - Returns: whether that is further than before.
    package mutating func confirmed(_ position: UInt64) -> Bool {
        guard position > stored else { return false }
        stored = position
        inFlight.confirmed(upTo: position)
        return true
    }

    /// Queues an entry to be announced; `isOwn` says whether it is of a head that this node wrote.
    ///
    /// It requests the confirmation if its author wants to know who has it, or if it covers all
    /// that is awaited.
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
    /// One for which somebody waits is sent at once, with what waits before it.
    package mutating func announceWatermark(at now: Moment) {
        let isUrgent = isUrgent(upTo: sent)
        announce(.watermark(position: sent), at: now)
        if isUrgent { announcementDeadline = now }
    }

    /// Takes the queued entries if they are to be sent now: there are many, they waited long, or
    /// the replay is not over.
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
