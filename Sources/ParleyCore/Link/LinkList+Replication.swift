/// The replications of all links.
extension LinkList {
    // MARK: Envelopes

    /// An envelope of a member was merged: counts the work, and tells all links.
    package mutating func merged(
        _ arrival: Arrival,
        _ report: MergeReport,
        from replication: ReplicationIndex,
        at now: Moment
    ) {
        let conversation = self[replication].conversation
        if arrival.wasVerified { self[replication.link].charge(Work.signature) }
        switch report.result {
        case .changed:
            self[replication.link].broughtNews(at: now)
        case .held:
            self[replication].hold()
            hold(missing: arrival.name, of: conversation)
        case .known:
            // Announces the envelope in return, so that the peer stops pushing the origin. The
            // author pushes in any case.
            guard let author = report.author, author != self[replication.link].device else { break }
            let tag = arrival.header.tag
            self[replication.link]
                .pushedInVain(arrival.head, tag: tag, on: replication.replication, at: now)
        case .obsolete:
            break
        }
        settled(report.settled, of: conversation)
    }

    /// Notes that the named envelopes are not missing on any link any more.
    package mutating func settled(_ names: [EnvelopeName], of conversation: UInt32) {
        guard !names.isEmpty else { return }
        forEachReplication(of: conversation) { replication in
            for name in names { replication.settled(name) }
        }
    }

    /// An envelope could not be stored: stops confirming on the links that announced it.
    ///
    /// The envelope is not wanted any more, and arrives again when these feeds start over.
    package mutating func hold(missing name: EnvelopeName, of conversation: UInt32) {
        forEachReplication(of: conversation) { $0.hold(ifMissing: name) }
    }

    /// Changes the replication of a conversation on each link that shares it.
    private mutating func forEachReplication(
        of conversation: UInt32,
        _ change: (inout Replication) -> Void
    ) {
        for index in indices {
            guard let replication = replication(of: conversation, on: index) else { continue }
            change(&self[replication])
        }
    }

    /// The envelopes of a row were read back.
    mutating func loaded(row: Int64) {
        for index in indices { self[index].forEachReplication { $0.loaded(row: row) } }
    }

    /// When each link last brought a new envelope or chunk.
    package var news: [LinkID: Moment] {
        var news: [LinkID: Moment] = [:]
        for index in indices { news[self[index].id] = self[index].broughtNews }
        return news
    }

    /// The bytes of envelopes that each member's link may have in flight to this node, if the
    /// commit queue may hold `capacity` bytes; nil while the links wait for the next commit.
    func envelopeWindow(besides commits: Commits, of capacity: Int) -> UInt64? {
        CreditGrant.envelopeWindow(besides: commits, sharedBy: memberCount, of: capacity)
    }

    // MARK: Haves and wants

    /// A peer announces envelopes and feed positions.
    package mutating func haveReceived(
        _ list: HaveList,
        from replication: ReplicationIndex,
        in conversation: inout Conversation,
        at now: Moment
    ) throws(Refusal) {
        for entry in list.entries {
            try self[replication].check(position: entry.position)
            let announced = try self[replication].announced(
                entry,
                in: &conversation,
                openLinks: openLinks,
                at: now
            )
            if announced == .missing {
                let peer = self[replication.link].id
                let device = self[replication.link].device
                let author = linkToAuthor(of: entry, in: conversation, besides: device)
                if conversation.wants.announced(entry, by: peer, author: author, at: now) {
                    self[replication].ask(for: entry)
                }
            }
            self[replication]
                .received(position: entry.position, urgency: entry.isAwaited ? .prompt : .none)
        }
    }

    /// The author's link, on which a missing envelope is expected; nil if the author announced it.
    private func linkToAuthor(
        of entry: HaveEntry,
        in conversation: Conversation,
        besides peer: DeviceID
    ) -> LinkID? {
        guard let author = conversation.origins.device(of: entry.dot.origin), author != peer else {
            return nil
        }
        return link(toAuthor: author, of: conversation.number)
    }

    /// Asks the next holder for each envelope that did not arrive in time.
    package mutating func askNextHolders(
        of conversations: inout ConversationTable,
        at now: Moment
    ) {
        for index in conversations.indices where conversations[index].mayBeOverdue(at: now) {
            let number = conversations[index].number
            ask(conversations[index].wants.overdue(at: now, news: news), of: number)
            askForOldest(of: &conversations[index], at: now)
        }
    }

    /// Looks at the peers without credit for announcements: gives credit for whatever has arrived,
    /// and asks a peer whose feed stands still for the first envelopes in the place of others.
    ///
    /// Otherwise a slow peer would hold up the rest of the links of others.
    private mutating func askForOldest(of conversation: inout Conversation, at now: Moment) {
        for index in indices where self[index].isLive && self[index].isWindowFull {
            guard let replication = replication(of: conversation.number, on: index) else {
                continue
            }
            self[index].renewsEarly()
            let link = self[index].id
            for oldest in self[replication].standingStill(at: now) {
                guard let entry = conversation.wants.turned(oldest, to: link, at: now) else {
                    continue
                }
                self[replication].ask(for: entry)
            }
        }
    }

    /// Asks holders for wanted envelopes.
    package mutating func ask(
        _ wants: [(entry: HaveEntry, holder: LinkID)],
        of conversation: UInt32
    ) {
        for (entry, holder) in wants {
            guard let index = index(of: holder),
                let replication = replication(of: conversation, on: index)
            else { continue }
            self[replication].ask(for: entry)
        }
    }

    // MARK: Members

    /// Sends every member the audit sums of each conversation with nothing in flight.
    package mutating func startAudits(of conversations: ConversationTable) {
        for index in indices where self[index].isMember {
            self[index].startAudits(of: conversations)
        }
    }

    /// Requests the confirmation of a position at once, as somebody at this node waits.
    mutating func askToConfirm(_ position: UInt64, of conversation: UInt32) {
        forEachReplication(of: conversation) { $0.asksToConfirm(position) }
    }

    // MARK: Our disk

    /// Tells peers how much of their feeds is on disk.
    package mutating func confirm(issued: Ticket, committed: Ticket, at now: Moment) {
        for index in indices { self[index].confirm(issued: issued, committed: committed, at: now) }
    }

    /// Writes the cursors of the peers' feeds: at once if a link ends, along with other writes from
    /// time to time, and else after a while.
    package mutating func saveCursors(
        of conversations: ConversationTable,
        tickets: inout Commits,
        into step: inout Step
    ) {
        let isWriting = !step.writes.isEmpty || conversations.haveChanged
        let isDue = areSomeClosing || tickets.areCursorsDue(at: step.now, isWriting: isWriting)
        let wait = !isDue && (tickets.cursorsDue != nil || haveUnsavedCursors)
        tickets.cursorsWait(wait, at: step.now)
        guard isDue else { return }
        let cursors = takeUnsavedCursors { number, peer in
            conversations.index(of: number).map { conversations[$0].keepsCursor(of: peer) }
        }
        for cursor in cursors {
            step.writes.append(tickets.write(cursor, at: step.now))
        }
    }

    /// Whether a peer's feed is ahead of its cursor on disk.
    package var haveUnsavedCursors: Bool {
        contains { $0.replications.contains { $0.unsavedCursor != nil } }
    }

    /// The cursors to write, which count as on their way to the disk from now on.
    ///
    /// `isKept` says whether a device's cursor is kept; nil if this node has left the conversation.
    package mutating func takeUnsavedCursors(
        isKept: (UInt32, DeviceID) -> Bool?
    ) -> [PendingCursor] {
        var cursors: [PendingCursor] = []
        for index in indices { self[index].takeUnsavedCursors(isKept: isKept, into: &cursors) }
        return cursors
    }

    // MARK: Addresses

    /// Sends a new member the addresses of the others, and the others its addresses.
    package mutating func exchangeAddresses(
        of conversation: UInt32,
        on index: Int,
        known: (DeviceID) -> [PeerAddress]
    ) {
        let others = indices.filter {
            $0 != index && self[$0].isMember && self[$0].replication(of: conversation) != nil
        }
        let theirs = others.flatMap { known(self[$0].device) }
        self[index].send(theirs, of: conversation)
        let own = known(self[index].device)
        for other in others { self[other].send(own, of: conversation) }
    }

    // MARK: Blobs

    /// Asks peers for chunks of blobs.
    package mutating func ask(_ asks: [BlobExchange.Ask], at now: Moment) {
        for ask in asks {
            guard let index = index(of: ask.link) else { continue }
            self[index].ask(ask, at: now)
        }
    }
}
