/// The progress of one peer in this node's feed, and the frames that bring the peer further.
package struct OutgoingFeed: Sendable {
    /// Entries of one short frame, so that the peer can ask for the first envelopes soon.
    package static let announcementsPerFrame = 256

    /// The number of the conversation in frames of this side.
    let number: UInt32
    /// The connection to the peer.
    let link: LinkID
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
    package private(set) var confirmations = AwaitedConfirmations()
    /// The changes that are announced later, as the peer most likely has them.
    var deferred = DeferredAnnouncements()
    package var isPeerFull = false
    package var announcements = AnnouncementQueue()
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

    package init(number: UInt32, link: LinkID) {
        self.number = number
        self.link = link
    }

    /// The peer asks for everything after `position`; `latest` is the end of the feed now.
    package mutating func requested(after position: UInt64, latest: UInt64) {
        isRequested = true
        sent = position
        claimed = position
        confirmations = AwaitedConfirmations(after: position, awaiting: latest)
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
    package mutating func awaits(_ position: UInt64) { confirmations.await(position) }

    /// Whether a watermark is due for a confirmation.
    package var owesWatermark: Bool {
        confirmations.oweWatermark(sent: sent, replayEnd: replayEnd)
    }

    /// Notes that somebody waits for the confirmation of `position`, which may be yet to send.
    package mutating func asksToConfirm(_ position: UInt64) {
        confirmations.becameUrgent(position)
    }

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
        confirmations.pushed(position)
    }

    /// Notes that the confirmation of a position is requested.
    package mutating func requests(_ position: UInt64) { confirmations.requested(position) }

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
        guard confirmations.confirmed(position) else { return false }
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
        if entry.position > 0, isOwn || confirmations.shouldRequest(entry.position) {
            entry.isAwaited = true
        }
        if entry.isAwaited { requests(entry.position) }
        announcements.add(entry, at: now)
    }

    /// Queues a watermark: the position up to which everything was sent.
    ///
    /// If somebody waits for the confirmation, the whole queue is due at once.
    package mutating func announceWatermark(at now: Moment) {
        let isUrgent = confirmations.areUrgent(upTo: sent)
        announce(.watermark(position: sent), at: now)
        if isUrgent { announcements.hurry(at: now) }
    }

    /// Takes the queued entries if the replay lasts, they are many, they waited long, or by
    /// `force`.
    package mutating func takeAnnouncements(at now: Moment, force: Bool) -> [HaveEntry] {
        announcements.take(at: now, force: force || sent <= replayEnd)
    }
}
