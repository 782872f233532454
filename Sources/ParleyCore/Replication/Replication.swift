/// One conversation on one link: the progress of each side in the other's feed.
///
/// Each frame of the peer is an input; `pump` sends what follows from the inputs and from the
/// conversation. A replication knows nothing of other peers.
///
/// Envelopes spread as in Plumtree (J. Leitão, J. Pereira, L. Rodrigues: "Epidemic Broadcast
/// Trees", SRDS 2007): a node pushes an envelope eagerly on some links and announces it lazily on
/// the others, a push in vain prunes, and a want grafts. The differences:
///
/// - Plumtree has a single tree. Here each origin is pruned and grafted by itself, so every author
///   has a tree. Each link begins eager.
/// - A pruning has no frame: whoever has the envelope announces it.
/// - An announcement waits for `AnnouncementDelay`, and is left out if the peer makes it meanwhile.
/// - An announcement has a position in the feed, so nothing is lost when a link ends.
package struct Replication: Sendable {
    /// The number of the conversation in this data directory.
    package let conversation: UInt32
    /// The number of the conversation in frames of the peer.
    let peerNumber: UInt32
    var outgoing: OutgoingFeed
    var incoming: IncomingFeed

    /// A replication that continues after `cursor` in the peer's feed.
    package init(
        conversation: UInt32,
        ownNumber: UInt32,
        peerNumber: UInt32,
        link: LinkID,
        cursor: FeedCursor
    ) {
        self.conversation = conversation
        self.peerNumber = peerNumber
        outgoing = OutgoingFeed(number: ownNumber, link: link)
        incoming = IncomingFeed(cursor: cursor)
    }

    /// The number of the conversation in frames of this side.
    package var ownNumber: UInt32 { outgoing.number }
    /// The connection to the peer.
    var link: LinkID { outgoing.link }

    /// The request for the peer's feed, with this node's own incarnation and latest position.
    package mutating func feedRequest(of conversation: Conversation) -> FeedRequest {
        let latest = conversation.feed.latest
        return FeedRequest(
            conversation: ownNumber,
            since: incoming.cursor,
            ownIncarnation: conversation.presentIncarnation ?? 0,
            ownPosition: latest
        )
    }

    // MARK: Frames of the peer

    /// Takes the peer's request for our feed, with the peer's own incarnation and latest position.
    package mutating func feedRequested(
        _ request: FeedRequest,
        of conversation: Conversation,
        at now: Moment
    ) throws(Refusal) {
        guard !outgoing.isRequested else { throw .unexpected(FrameType.feed.rawValue) }
        try FeedCursor.check(position: request.since.position)
        try FeedCursor.check(position: request.ownPosition)
        let latest = conversation.feed.latest
        let resume = conversation.incarnations.resume(from: request.since, latest: latest)
        incoming.began(incarnation: request.ownIncarnation, latest: request.ownPosition)
        outgoing.requested(after: resume, latest: latest)
        let isOtherIncarnation = request.since.incarnation != conversation.incarnations.present?.id
        if resume == latest, latest > 0, isOtherIncarnation {
            outgoing.announceWatermark(at: now)
        }
    }

    /// Whether the peer has sent `feed`, which precedes all other frames of the conversation.
    package var hasBegun: Bool { outgoing.isRequested }

    /// Notes that somebody at this node waits for the confirmation of `position`.
    package mutating func asksToConfirm(_ position: UInt64) { outgoing.asksToConfirm(position) }

    /// Whether the peer has no capacity for new sessions, by its last confirmation.
    package var isPeerFull: Bool { outgoing.isPeerFull }

    /// Takes the peer's confirmation of our feed.
    ///
    /// - Returns: whether the position is higher than before.
    /// - Throws: `.overLimit` for a position that was never sent.
    package mutating func storedReceived(_ stored: Stored) throws(Refusal) -> Bool {
        outgoing.isPeerFull = stored.isFull
        guard stored.position <= outgoing.claimed else {
            throw .overLimit("a feed position that was never sent")
        }
        return outgoing.confirmed(stored.position)
    }

    /// How an announced envelope relates to those of this node.
    package enum Announced: Sendable, Equatable {
        /// There is nothing to ask for: the envelope is here, dominated or not found, or none is
        /// named.
        case here
        /// This node lacks the envelope.
        case missing
    }

    /// Takes an entry of the peer's `have`.
    package mutating func announced(
        _ entry: HaveEntry,
        in conversation: inout Conversation,
        openLinks: [LinkID],
        at now: Moment
    ) throws(Refusal) -> Announced {
        guard !entry.isNotFound else {
            conversation.wants.notFound(entry.name, from: link, at: now)
            settled(entry.name)
            return .here
        }
        guard entry.isEnvelope else { return .here }
        switch conversation.sessions.standing(of: entry) {
        case .head(let session, let head):
            conversation.sessions.know(link, session: session, head: head, openLinks: openLinks)
            // The peer has the envelope from another node.
            if !conversation.isOwn(entry.dot.origin) { prune(entry.dot.origin) }
            return .here
        case .dominated:
            return .here
        case .missing:
            // The peer is not to blame, and its feed starts over on another link.
            guard conversation.wants.mayAnnounce(link) else {
                hold()
                return .here
            }
            misses(entry.name)
            return .missing
        }
    }

    /// The peer wants envelopes that were announced to it.
    package mutating func wantReceived(
        _ list: WantList,
        of conversation: Conversation
    ) throws(Refusal) {
        for entry in list.entries {
            outgoing.graft(entry.dot.origin)
            guard outgoing.wanted.count < OutgoingFeed.wantedMax else {
                throw .overLimit("more wanted than was told")
            }
            if let session = conversation.sessions.numbers[entry.tag] {
                outgoing.wanted.append((session, entry.name))
            }
        }
    }

    /// The peer answers again after a silence: changes in between count as replay.
    package mutating func resumed(latest: UInt64) { outgoing.resumed(latest: latest) }

    /// Sets how soon deferred changes are announced, including those that wait already.
    package mutating func announces(after delay: AnnouncementDelay, at now: Moment) {
        outgoing.deferred.announces(after: delay, at: now)
    }

    /// Notes that the peer gets envelopes of an origin from another node.
    package mutating func prune(_ origin: OriginID) {
        outgoing.pruned.insert(origin)
    }

    /// Answers a push in vain with an announcement that stops further pushes, if `credit` allows.
    package mutating func pushedInVain(
        _ head: Head,
        tag: SessionTag,
        credit: inout SendCredit,
        at now: Moment
    ) {
        prune(head.dot.origin)
        guard credit.namesLeft > 0 else { return }
        credit.announces(1)
        outgoing.announce(HaveEntry(head, tag: tag, position: 0), at: now)
    }

    // MARK: The peer's feed

    /// Checks a position that comes with an envelope or an announcement.
    ///
    /// - Throws: `.overLimit` for a position that no node can have reached, `.contradictory` for a
    ///   position below an earlier one of the link.
    package func check(position: UInt64) throws(Refusal) {
        try FeedCursor.check(position: position)
        guard incoming.mayReceive(position: position) else {
            throw .contradictory("a feed position that descends")
        }
    }

    /// The peer pushed an envelope.
    mutating func received(_ received: ReceivedEnvelope) {
        incoming.received(
            position: received.position,
            urgency: received.isAwaited ? .prompt : .gathered
        )
    }

    /// The peer pushed or announced everything up to a position; `urgency` is that of the
    /// confirmation.
    package mutating func received(
        position: UInt64,
        urgency: AwaitedPositions.Urgency = .prompt
    ) {
        incoming.received(position: position, urgency: urgency)
    }

    /// Whether part of the peer's replay has not arrived yet.
    package var isReplaying: Bool { incoming.isReplaying }

    /// The peer announced an envelope that this node lacks.
    package mutating func misses(_ name: EnvelopeName) { incoming.misses(name) }

    /// Asks the peer for an envelope.
    package mutating func ask(for entry: HaveEntry) { incoming.wants.add(entry.name) }

    /// An envelope arrived on any link, or is not needed any more.
    package mutating func settled(_ name: EnvelopeName) { incoming.settled(name) }

    /// The envelopes that the peer announced and this node lacks.
    package var missing: MissingEnvelopes { incoming.missing }

    /// The names of some missing envelopes for which the feed stands still.
    mutating func standingStill(at now: Moment) -> [EnvelopeName] {
        incoming.standingStill(at: now)
    }

    /// Whether the feed waits for credit to announce its next change.
    package var awaitsNames: Bool { outgoing.announcements.awaitsCredit }

    /// Whether confirming has stopped, because an envelope of the peer could not be stored.
    package var isHeld: Bool { incoming.isHeld }

    /// The position up to which our feed is on the peer's disk.
    package var storedByPeer: UInt64 { outgoing.confirmations.stored }

    /// Stops confirming: an envelope of the peer could not be stored.
    package mutating func hold() { incoming.isHeld = true }

    /// Stops confirming if the peer announced the envelope that could not be stored.
    package mutating func hold(ifMissing name: EnvelopeName) {
        if incoming.missing.contains(name) { hold() }
    }

    // MARK: Audit

    /// The sums to compare with the peer's, along with the latest position.
    ///
    /// There is none while something is in flight, or while the position steps over a change.
    package mutating func audit(of conversation: Conversation) -> Audit? {
        let latest = conversation.feed.latest
        guard isLevel(with: conversation),
            !conversation.moves.gaps(after: outgoing.claimed).contains(latest)
        else { return nil }
        outgoing.claims(latest)
        return Audit(
            conversation: ownNumber,
            ownPosition: latest,
            peerPosition: incoming.highest,
            sums: conversation.sessions.auditSums
        )
    }

    /// Compares the peer's sums with ours.
    ///
    /// Buckets that differ for the second time in a row are repaired: their heads are announced,
    /// and the peer asks for missing heads. If `credit` is short, the rest follows after the next
    /// audit.
    package mutating func auditReceived(
        _ audit: Audit,
        of conversation: Conversation,
        credit: inout SendCredit,
        at now: Moment
    ) throws(Refusal) -> AuditResult {
        try check(position: audit.ownPosition)
        received(position: audit.ownPosition, urgency: .none)
        guard isLevel(with: conversation), audit.ownPosition == incoming.highest,
            audit.peerPosition == conversation.feed.latest
        else { return .level }
        let sums = conversation.sessions.auditSums
        let differing = sums.indices.filter { sums[$0] != audit.sums[$0] }
        let suspects = outgoing.suspects.buckets
        outgoing.suspects.buckets = differing
        let twice = differing.filter { suspects.contains($0) }
        guard !twice.isEmpty else { return differing.isEmpty ? .level : .differs }
        let entries = conversation.sessions.entries(
            inBuckets: Set(twice),
            from: &outgoing.suspects.start,
            countMax: min(credit.namesLeft, Limits.haveEntries)
        )
        credit.announces(entries.count)
        for entry in entries { outgoing.announce(entry, at: now) }
        return .repaired(buckets: twice.count)
    }

    /// Whether this side knows of nothing of the conversation in flight between the two.
    ///
    /// Envelopes that other peers announced and never send do not count: otherwise a Byzantine peer
    /// could block all audits.
    private func isLevel(with conversation: Conversation) -> Bool {
        // Devices that are out take nothing more from each other.
        guard conversation.standing != .out else { return false }
        return outgoing.isRequested && outgoing.sent == conversation.feed.latest
            && outgoing.announcements.isEmpty && outgoing.wanted.isEmpty && !outgoing.isPeerFull
            && incoming.missing.isEmpty && !incoming.isHeld
    }

    /// Whether both replays are over, and neither side waits for anything.
    var isSettled: Bool {
        outgoing.isRequested && outgoing.sent >= outgoing.replayEnd
            && !outgoing.confirmations.areAwaited
            && outgoing.wanted.isEmpty && !outgoing.isPeerFull && !incoming.isReplaying
            && incoming.missing.isEmpty && !incoming.isHeld
    }

    // MARK: Our disk

    /// The envelopes of a row were read back.
    package mutating func loaded(row: Int64) {
        if outgoing.awaitedRow == row { outgoing.awaitedRow = nil }
    }

    /// The cursor to write with everything up to its position; nil if none is ahead of the disk.
    package var unsavedCursor: FeedCursor? { incoming.unsavedCursor }

    /// A cursor is on its way to the disk.
    package mutating func saved(_ cursor: FeedCursor) { incoming.saved = cursor.position }

    /// Notes that everything received so far is on disk once the commit `issued` is.
    ///
    /// `committed` is on disk now. `ridesAlong` says whether the peer is sent other frames now.
    ///
    /// - Returns: the confirmation to send, if any is due.
    package mutating func confirmation(
        issued: Ticket,
        committed: Ticket,
        ridesAlong: Bool = false,
        at now: Moment
    ) -> Stored? {
        incoming.follows(issued)
        var position = incoming.committed(committed, ridesAlong: ridesAlong, at: now)
        if incoming.shouldSayFull { position = incoming.confirmed(at: now) }
        guard let position else { return nil }
        incoming.hasSaidFull = incoming.isHeld
        return Stored(conversation: ownNumber, position: position, isFull: incoming.isHeld)
    }

    /// When queued or deferred entries, or a confirmation, have waited long enough.
    package var deadline: Moment? {
        var next = Earliest()
        next.add(outgoing.announcements.deadline)
        next.add(incoming.confirmationDue)
        // Until the envelopes of a row are read back, nothing is sent.
        if outgoing.awaitedRow == nil { next.add(outgoing.deferred.due) }
        return next.moment
    }

    /// The incarnation in which the peer numbers its changes; nil before the peer's `feed`.
    package var peerIncarnation: UInt64? { incoming.incarnation }
}

/// The result of a comparison of a peer's sums with those here.
package enum AuditResult: Equatable, Sendable {
    /// The sums are equal, or something is in flight.
    case level
    /// Sums differ for the first time.
    case differs
    /// Sums differ for the second time in a row: the heads of so many buckets are announced.
    case repaired(buckets: Int)
}
