/// One conversation with one peer: how far each side has the other's change feed, and what is in
/// flight between them.
///
/// Each frame of the peer is an input; `pump` sends what follows from the inputs and from the
/// conversation. A replication knows nothing of other peers.
///
/// Envelopes spread as in Plumtree (J. Leitão, J. Pereira, L. Rodrigues: "Epidemic Broadcast
/// Trees", SRDS 2007): a node pushes an envelope eagerly on some links and announces it lazily on
/// the others, a push in vain prunes, and a want grafts. Plumtree has one tree, for links; here
/// each origin is pruned and grafted for itself, so that every author has a tree of its own, and
/// each link begins eager. A pruning has no frame: whoever has the envelope announces it. An
/// announcement waits as long as `AnnouncementDelay` says, and one that the peer made itself
/// meanwhile is left out. What is announced also has a position in the feed, so nothing is lost
/// when a link ends, as it may be in Plumtree.
package struct Replication: Sendable {
    /// The number of the conversation in this data directory.
    package let conversation: UInt32
    /// The number of the conversation in frames of this side, and in frames of the peer.
    package let ownNumber: UInt32
    let peerNumber: UInt32
    /// The connection to the peer.
    let link: LinkID
    var outgoing = OutgoingFeed()
    var incoming: IncomingFeed
    /// How soon what the peer most likely has from another node is announced.
    package internal(set) var announcementDelay = AnnouncementDelay.neighbourFirst

    /// A replication that continues after `cursor` in the peer's feed.
    package init(
        conversation: UInt32,
        ownNumber: UInt32,
        peerNumber: UInt32,
        link: LinkID,
        cursor: FeedCursor
    ) {
        self.conversation = conversation
        self.ownNumber = ownNumber
        self.peerNumber = peerNumber
        self.link = link
        incoming = IncomingFeed(cursor: cursor)
    }

    /// Asks the peer for its feed, and says in which incarnation this node numbers its own changes.
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

    /// The peer asks for our feed, and says in which incarnation it numbers its own changes.
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

    /// Whether the peer has sent its `feed`, which comes before its other frames.
    package var hasBegun: Bool { outgoing.isRequested }

    /// Somebody at this node waits to hear that the peer has `position` of our feed on disk.
    package mutating func asksToConfirm(_ position: UInt64) { outgoing.asksToConfirm(position) }

    /// Whether the peer has no capacity for new sessions, as it said last.
    package var isPeerFull: Bool { outgoing.isPeerFull }

    /// The peer has our feed on disk up to a position.
    ///
    /// - Returns: whether that is further than before.
    package mutating func storedReceived(_ stored: Stored) throws(Refusal) -> Bool {
        outgoing.isPeerFull = stored.isFull
        guard stored.position <= outgoing.claimed else {
            throw .overLimit("a feed position that was never sent")
        }
        return outgoing.confirmed(stored.position)
    }

    /// How an announced envelope relates to those of this node.
    package enum Announced: Sendable, Equatable {
        /// There is nothing to ask for: this node has the envelope or a head that dominates it, the
        /// peer does not have it, or the entry only says how far the feed goes.
        case here
        /// This node lacks the envelope.
        case missing
    }

    /// The peer announces an envelope, or says that it does not have one any more.
    package mutating func announced(
        _ entry: HaveEntry,
        in conversation: inout Conversation,
        openLinks: [LinkID],
        at now: Moment
    ) throws(Refusal) -> Announced {
        guard !entry.isNotFound else {
            conversation.notFound(entry.name, from: link, at: now)
            settled(entry.name)
            return .here
        }
        guard entry.isEnvelope else { return .here }
        switch conversation.standing(of: entry) {
        case .head(let session, let head):
            conversation.know(link, session: session, head: head, openLinks: openLinks)
            // A peer that announces an envelope that is here received it from another node.
            if !conversation.isOwn(entry.dot.origin) { prune(entry.dot.origin) }
            return .here
        case .dominated:
            return .here
        case .missing:
            guard conversation.mayAnnounce(link) else {
                throw .overLimit("announcements on more links than are followed")
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
            if let session = conversation.sessionNumbers[entry.tag] {
                outgoing.wanted.append((session, entry.name))
            }
        }
    }

    /// The peer answers again after a silence: changes in between count as replay.
    package mutating func resumed(latest: UInt64) { outgoing.resumed(latest: latest) }

    /// The peer gets envelopes of this origin from another node: they are announced, not pushed.
    package mutating func prune(_ origin: OriginID) {
        outgoing.pruned.insert(origin)
    }

    /// The peer pushed an envelope that we already had, so we announce it to stop further pushes,
    /// if `credit` allows that.
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
    /// - Throws: `.overLimit` for one that no node can have reached, `.contradictory` for one below
    ///   an earlier position of this link.
    package func check(position: UInt64) throws(Refusal) {
        try FeedCursor.check(position: position)
        guard incoming.mayReceive(position: position) else {
            throw .contradictory("a feed position that descends")
        }
    }

    /// The peer pushed an envelope.
    package mutating func received(_ frame: EnvelopeFrame) {
        received(position: frame.position, urgency: frame.isAwaited ? .prompt : .gathered)
    }

    /// The peer pushed or announced everything up to a position.
    ///
    /// `urgency` says how soon it needs the confirmation.
    package mutating func received(
        position: UInt64,
        urgency: AwaitedPositions.Urgency = .prompt
    ) {
        incoming.received(position: position, urgency: urgency)
    }

    /// Whether part of what the peer had before the link has not arrived yet.
    package var isReplaying: Bool { incoming.isReplaying }

    /// The peer announced an envelope that this node lacks.
    package mutating func misses(_ name: EnvelopeName) { incoming.misses(name) }

    /// Asks the peer for an envelope.
    package mutating func ask(for entry: HaveEntry) { incoming.wants.add(entry.name.fingerprint) }

    /// An envelope arrived on any link, or is not needed any more.
    package mutating func settled(_ name: EnvelopeName) { incoming.settled(name) }

    /// Whether the peer announced an envelope that has not arrived.
    package var isMissingAny: Bool { incoming.isMissingAny }

    /// The memory of the missing envelopes, without that of the wants, in bytes.
    package var announcedBytes: Int { incoming.announcedBytes }

    /// The envelopes that the peer announced and this node lacks.
    var missingCount: Int { incoming.missingCount }

    /// The fingerprint of the envelope that the peer announced first of those that this node lacks.
    var oldestMissing: UInt64? { incoming.oldestMissing }

    /// Whether the feed waits for credit to announce the next change.
    package var awaitsNames: Bool { outgoing.awaitsNames }

    /// Whether confirming has stopped, because an envelope of the peer could not be stored.
    package var isHeld: Bool { incoming.isHeld }

    /// The position up to which our feed is on the peer's disk.
    package var storedByPeer: UInt64 { outgoing.stored }

    /// Stops confirming: an envelope of the peer could not be stored.
    package mutating func hold() { incoming.isHeld = true }

    /// Stops confirming if the peer announced the envelope that could not be stored.
    package mutating func hold(ifMissing name: EnvelopeName) {
        if incoming.isMissing(name) { hold() }
    }

    // MARK: Audit

    /// The sums to compare with the peer's, or nil while this side knows of anything in flight.
    ///
    /// They announce the position, too.
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
            sums: conversation.auditSums
        )
    }

    /// Compares the peer's sums with ours.
    ///
    /// Buckets that differ for the second time in a row are repaired: their heads are announced, so
    /// that the peer asks for those it lacks, as far as `credit` allows. The others follow after
    /// the next audit.
    ///
    /// - Returns: how many buckets are being repaired.
    package mutating func auditReceived(
        _ audit: Audit,
        of conversation: Conversation,
        credit: inout SendCredit,
        at now: Moment
    ) throws(Refusal) -> Int {
        try check(position: audit.ownPosition)
        received(position: audit.ownPosition, urgency: .none)
        guard isLevel(with: conversation), audit.ownPosition == incoming.highest,
            audit.peerPosition == conversation.feed.latest
        else { return 0 }
        let sums = conversation.auditSums
        let differing = sums.indices.filter { sums[$0] != audit.sums[$0] }
        let suspects = outgoing.suspectBuckets
        outgoing.suspectBuckets = differing
        let twice = differing.filter { suspects.contains($0) }
        guard !twice.isEmpty else { return 0 }
        let entries = conversation.entries(inBuckets: Set(twice), countMax: credit.namesLeft)
        credit.announces(entries.count)
        for entry in entries { outgoing.announce(entry, at: now) }
        return twice.count
    }

    /// Whether both sides are in sync: nothing of the conversation is in flight between them.
    ///
    /// Envelopes that other peers announced and never send do not count: otherwise a Byzantine peer
    /// could block all audits.
    private func isLevel(with conversation: Conversation) -> Bool {
        outgoing.isRequested && outgoing.sent == conversation.feed.latest
            && outgoing.announcements.isEmpty && outgoing.wanted.isEmpty && !outgoing.isPeerFull
            && !incoming.isMissingAny && !incoming.isHeld
    }

    /// Whether both sides have got what they lacked when the link began, and wait for nothing.
    var isSettled: Bool {
        outgoing.isRequested && outgoing.sent >= outgoing.replayEnd && !outgoing.isAwaiting
            && outgoing.wanted.isEmpty && !outgoing.isPeerFull && !incoming.isReplaying
            && !incoming.isMissingAny && !incoming.isHeld
    }

    // MARK: Our disk

    /// The envelopes of a row were read back.
    package mutating func loaded(row: Int64) {
        if outgoing.awaitedRow == row { outgoing.awaitedRow = nil }
    }

    /// The cursor to write along with everything up to it, if it is ahead of the one on disk.
    package var unsavedCursor: FeedCursor? { incoming.unsavedCursor }

    /// A cursor is on its way to the disk.
    package mutating func saved(_ cursor: FeedCursor) { incoming.saved = cursor.position }

    /// Everything received so far is on disk once the commit `issued` is; `committed` is on disk
    /// now, and `ridesAlong` says whether the peer is sent something anyway.
    ///
    /// - Returns: the confirmation to send, if there is a new one.
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
        next.add(outgoing.announcementDeadline)
        next.add(incoming.confirmationDue)
        // Until the envelopes of a row are read back, nothing is sent.
        if outgoing.awaitedRow == nil { next.add(outgoing.deferred.due) }
        return next.moment
    }

    /// The incarnation in which the peer numbers its changes, once it has said so.
    package var peerIncarnation: UInt64? { incoming.incarnation }
}
