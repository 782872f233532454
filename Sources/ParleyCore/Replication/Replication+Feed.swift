extension Replication {
    /// Whether `pump` may have something to send; `latest` is the end of the feed.
    ///
    /// The check is cheap, as most replications have nothing to send in most steps.
    package func mayHaveToSend(latest: UInt64, at now: Moment) -> Bool {
        let sent = outgoing.sent
        let isFeedSent =
            !outgoing.isRequested
            || !outgoing.owesWatermark
                && (sent >= latest && !outgoing.deferred.isDue(at: now)
                    || outgoing.deferred.mayWait(from: sent, to: latest, at: now))
        return !isFeedSent || !incoming.wants.isEmpty || !outgoing.wanted.isEmpty
            || !outgoing.announcements.isEmpty
    }

    /// Sends as much as may be sent now: wants, wanted envelopes, the feed, announcements.
    package mutating func pump(from conversation: Conversation, into sender: inout Sender) {
        sendWants(of: conversation, into: &sender)
        pumpFeed(of: conversation, into: &sender)
        outgoing.sendHaves(into: &sender, force: false)
    }

    /// Sends queued wants, each once, while few are unanswered.
    ///
    /// Wants that were settled meanwhile, or passed on to another holder, are left out.
    private mutating func sendWants(of conversation: Conversation, into sender: inout Sender) {
        guard !incoming.wants.isEmpty else { return }
        let link = link
        let wants = incoming.wants.take { conversation.wants.entry($0, askedOf: link) }
        guard !wants.isEmpty else { return }
        sender.outbox.append(.want(WantList(conversation: ownNumber, entries: wants)))
        sender.outbox.expect(.answer)
    }

    private mutating func pumpFeed(of conversation: Conversation, into sender: inout Sender) {
        guard outgoing.awaitedRow == nil else { return }
        outgoing.pumpWanted(of: conversation, into: &sender)
        guard outgoing.isRequested, outgoing.awaitedRow == nil else { return }
        outgoing.announcements.awaitsCredit = false
        let isDue = outgoing.deferred.isDue(at: sender.now)
        defer { if isDue { outgoing.sendHaves(into: &sender, force: true) } }
        let latest = outgoing.deferAnnouncements(of: conversation, at: sender.now)
        let claimed = outgoing.claimed
        let gaps = conversation.moves.gaps(after: claimed)
        var differsUntil: UInt64 = 0
        feed: while outgoing.sent < latest {
            if outgoing.sent >= differsUntil {
                switch passSegment(besides: gaps, of: conversation, into: &sender) {
                case .passed: continue
                case .waits: break feed
                case .differs(let until): differsUntil = until
                }
            }
            guard let entry = conversation.feed.next(after: outgoing.sent) else {
                // The last sessions of the feed were damaged and left out.
                outgoing.passed(latest)
                break
            }
            let place = FeedPlace(entry.position, outside: gaps)
            guard pass(entry.session, at: place, of: conversation, into: &sender) else {
                outgoing.readAheadFeed(of: conversation, into: &sender)
                break
            }
            outgoing.passed(entry.position)
        }
        claimSent(besides: gaps, at: sender.now)
    }

    /// Sends a watermark if one is due and its position steps over no change.
    private mutating func claimSent(besides gaps: FeedGaps, at now: Moment) {
        guard outgoing.owesWatermark, !gaps.contains(outgoing.sent) else { return }
        outgoing.announceWatermark(at: now)
    }

    /// Pushes or announces the heads of one session that the peer may lack.
    ///
    /// Only the last head carries the position: if the link ends between two heads, the peer must
    /// not count the others as sent.
    ///
    /// - Returns: false if credit, capacity, a confirmation or the disk has to come first.
    private mutating func pass(
        _ session: Int32,
        at place: FeedPlace,
        of conversation: Conversation,
        into sender: inout Sender
    ) -> Bool {
        if conversation.sessions[Int(session)].heads.count == 1 {
            return passOnly(session, at: place, of: conversation, into: &sender)
        }
        let (pushes, announcements) = split(session, at: place.position, of: conversation)
        let heads = conversation.sessions[Int(session)].heads
        // As the author, this node waits for the peer's confirmation.
        if heads.contains(where: { conversation.isOwn($0.dot.origin) }) {
            outgoing.awaits(place.position)
        }
        if !announcements.isEmpty {
            guard heads.allSatisfy({ $0.sentAfter <= sender.committed }) else { return false }
        }
        if !pushes.isEmpty, outgoing.awaitsConfirmation(of: session) { return false }
        let row = conversation.sessions[Int(session)].row
        for (number, (head, name)) in pushes.enumerated() {
            guard outgoing.canSend(head, row: row, &sender) else { return false }
            outgoing.sendHaves(into: &sender, force: true)
            let isLast = announcements.isEmpty && number == pushes.count - 1
            outgoing.push(head, position: isLast ? place.claim : 0, of: conversation, into: &sender)
            if isLast {
                outgoing.pushed(session, at: place.position)
            } else {
                outgoing.began(place.position, with: name)
            }
        }
        for (number, entry) in announcements.enumerated() {
            let isLast = number == announcements.count - 1
            var entry = entry
            entry.position = isLast ? place.claim : 0
            guard announceFromFeed(entry, at: place, of: conversation, into: &sender) else {
                return false
            }
            if !isLast { outgoing.began(place.position, with: entry.name) }
        }
        return true
    }

    /// The fast form of `pass` for a session with one head, as nearly all sessions have.
    private mutating func passOnly(
        _ session: Int32,
        at place: FeedPlace,
        of conversation: Conversation,
        into sender: inout Sender
    ) -> Bool {
        let index = Int(session)
        let dot = conversation.sessions[index].heads[0].dot
        // Read in place: a copy of a head costs more than its announcement.
        guard !conversation.sessions[index].heads[0].isLost,
            !conversation.sessions[index].heads[0].knownTo.contains(link)
        else {
            // As the author, this node waits for the peer's confirmation.
            if conversation.isOwn(dot.origin) { outgoing.awaits(place.position) }
            return true
        }
        guard conversation.sessions[index].heads[0].position > outgoing.sent,
            isPushed(conversation.sessions[index].heads[0], of: conversation)
        else {
            guard conversation.sessions[index].heads[0].sentAfter <= sender.committed else {
                return false
            }
            guard var entry = conversation.sessions.entry(of: dot, in: session) else { return true }
            entry.position = place.claim
            return announceFromFeed(entry, at: place, of: conversation, into: &sender)
        }
        let row = conversation.sessions[index].row
        let head = conversation.sessions[index].heads[0]
        let name = { conversation.sessions.entry(of: dot, in: session)?.name }
        guard !outgoing.hasSent(name(), at: place.position) else { return true }
        guard !outgoing.awaitsConfirmation(of: session),
            outgoing.canSend(head, row: row, &sender)
        else { return false }
        outgoing.sendHaves(into: &sender, force: true)
        outgoing.push(head, position: place.claim, of: conversation, into: &sender)
        outgoing.pushed(session, at: place.position)
        return true
    }

    /// Announces a head.
    ///
    /// - Returns: false if the announcement has to wait for credit.
    private mutating func announceFromFeed(
        _ entry: HaveEntry,
        at place: FeedPlace,
        of conversation: Conversation,
        into sender: inout Sender
    ) -> Bool {
        guard sender.namesLeft > 0 else {
            outgoing.announcements.awaitsCredit = true
            return false
        }
        sender.announces()
        // The origin names the author: a peer with a link to the author can wait for a push.
        outgoing.introduce(entry.dot.origin, of: conversation, into: &sender)
        let isOwn = conversation.isOwn(entry.dot.origin)
        if isOwn { outgoing.awaits(place.position) }
        outgoing.announce(entry, isOwn: isOwn, at: sender.now)
        return true
    }

    /// Splits the heads that the peer may lack into heads to push and heads to announce.
    ///
    /// Heads that were sent before the session changed are announced again: the peer may have had
    /// no capacity for them.
    private func split(
        _ session: Int32,
        at position: UInt64,
        of conversation: Conversation
    ) -> (pushes: [(HeadRecord, EnvelopeName)], announcements: [HaveEntry]) {
        let sent = outgoing.sent
        var pushes: [(HeadRecord, EnvelopeName)] = []
        var announcements: [HaveEntry] = []
        for head in conversation.sessions[Int(session)].heads
        where !head.isLost && !head.knownTo.contains(link) {
            guard let entry = conversation.sessions.entry(of: head.dot, in: session),
                !outgoing.hasSent(entry.name, at: position)
            else { continue }
            if head.position > sent, isPushed(head, of: conversation) {
                pushes.append((head, entry.name))
            } else {
                announcements.append(entry)
            }
        }
        return (pushes, announcements)
    }

    /// Whether a head is pushed; otherwise it is announced.
    ///
    /// Envelopes from before the link, and envelopes that this node had to ask for, are announced,
    /// as the peer may have other nodes to ask. An author pushes every later envelope. Other nodes
    /// push unless the peer likely has a better source: the origin is pruned, the envelope crossed
    /// many links, or the peer's own replay may still announce the envelope. `passSegment` checks
    /// the same for many heads at once.
    private func isPushed(_ head: HeadRecord, of conversation: Conversation) -> Bool {
        guard head.position > outgoing.replayEnd, !head.isFetched else { return false }
        return conversation.isOwn(head.dot.origin)
            || Int(head.hops) < Limits.hops
                && !outgoing.pruned.contains(head.dot.origin)
                && !incoming.isReplaying
    }
}
