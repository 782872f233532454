/// What peers say of their feeds, and what they are told of ours.
extension NodeMachine {
    // MARK: Feeds

    /// The peer asks for what changed, and says how it numbers its own changes.
    mutating func feedRequested(_ request: FeedRequest, on index: Int) throws(Refusal) {
        guard let (replication, conversation) = try shared(request.conversation, on: index) else {
            return
        }
        try links[index].replications[replication].feedRequested(
            request,
            of: conversations[conversation],
            at: step.now
        )
        audienceGrew(replication, on: index)
    }

    /// The peer has our feed on disk up to a position.
    mutating func storedReceived(_ stored: Stored, on index: Int) throws(Refusal) {
        guard
            let replication = try links[index].replication(ofPeerNumber: stored.conversation),
            try links[index].replications[replication].storedReceived(stored)
        else { return }
        audienceGrew(replication, on: index)
    }

    private mutating func audienceGrew(_ replication: Int, on index: Int) {
        let replication = links[index].replications[replication]
        step.effects.deliveries += author.stored(
            replication.conversation,
            upTo: replication.storedByPeer,
            by: links[index].device
        )
    }

    /// A link that was silent begins anew.
    mutating func answersAgain(_ index: Int) {
        dialer.linksChanged(at: step.now)
        for replication in links[index].replications.indices {
            let number = links[index].replications[replication].conversation
            guard let conversation = conversationIndex(number) else { continue }
            links[index].replications[replication].resumed(
                latest: conversations[conversation].feed.latest,
                at: step.now
            )
        }
    }

    // MARK: Haves and wants

    /// The peer tells which envelopes it has, and how far.
    mutating func haveReceived(_ list: HaveList, on index: Int) throws(Refusal) {
        guard let (replication, conversation) = try shared(list.conversation, on: index) else {
            return
        }
        for entry in list.entries {
            try expectPosition(entry.position)
            if entry.isNotFound {
                conversations[conversation].wants
                    .notFound(entry.name, from: links[index].id, at: step.now)
                links[index].replications[replication].settled(entry.name)
            } else if entry.isEnvelope {
                try told(entry, of: conversation, replication, on: index)
            }
            links[index].replications[replication].received(position: entry.position)
        }
    }

    private mutating func told(
        _ entry: HaveEntry,
        of conversation: Int,
        _ replication: Int,
        on index: Int
    ) throws(Refusal) {
        switch conversations[conversation].standing(of: entry) {
        case .head(let session, let head):
            let links = links
            conversations[conversation].sessions[session].heads[head]
                .know(links[index].id) { links.isOpen($0) }
            // A peer that announces an envelope that we hold received it from another node.
            guard !conversations[conversation].isOwn(entry.dot.origin) else { return }
            self.links[index].replications[replication].prune(entry.dot.origin)
        case .dominated:
            break
        case .missing:
            try want(entry, of: conversation, replication, on: index)
        }
    }

    /// Asks for an envelope that is not here: the peer that told of it, unless its author is going
    /// to push it unasked.
    ///
    /// What was there before the link, or came while it was silent, is pushed also by an author to
    /// whom a link is being made.
    private mutating func want(
        _ entry: HaveEntry,
        of conversation: Int,
        _ replication: Int,
        on index: Int
    ) throws(Refusal) {
        guard conversations[conversation].wants.count < WantTable.countMax,
            links[index].replications[replication].misses(entry.name)
        else { throw .overLimit("more told than can be asked for") }
        let teller = links[index].id
        let isReplay = links[index].replications[replication]
            .isReplay(entry.position, at: step.now)
        let author = conversations[conversation].origins[entry.dot.origin]?.device
        if let author, author != links[index].device {
            let number = conversations[conversation].number
            let link = links.link(toAuthor: author, of: number, isReplay: isReplay)
            if link != nil || isReplay && dialer.isDialling(author) {
                conversations[conversation].wants
                    .expected(entry, from: link, told: teller, at: step.now)
                return
            }
        }
        guard conversations[conversation].wants.told(entry, by: teller, at: step.now) else {
            return
        }
        links[index].replications[replication].ask(for: entry)
    }

    /// The peer wants envelopes that it was told of.
    mutating func wantReceived(_ list: WantList, on index: Int) throws(Refusal) {
        guard let (replication, conversation) = try shared(list.conversation, on: index) else {
            return
        }
        try links[index].replications[replication]
            .wantReceived(list, of: conversations[conversation])
    }

    /// Asks the next holder of what did not come in time.
    mutating func askNextHolders(_ conversation: Int) {
        guard let deadline = conversations[conversation].wants.deadline, deadline <= step.now else {
            return
        }
        let number = conversations[conversation].number
        let overdue = conversations[conversation].wants.overdue(at: step.now, news: links.news)
        for (entry, holder) in overdue {
            guard let index = links.index(of: holder),
                let replication = links[index].replication(of: number)
            else { continue }
            links[index].replications[replication].ask(for: entry)
        }
    }

    // MARK: Audits

    /// Compares sums with every peer that is level with this node.
    mutating func startAudits() {
        guard !commits.isBlocked else { return }
        for index in links.indices where links[index].isMember {
            for replication in links[index].replications {
                guard let conversation = conversationIndex(replication.conversation),
                    let audit = replication.audit(of: conversations[conversation])
                else { continue }
                links[index].outbox.append(.audit(audit))
            }
        }
    }

    mutating func auditReceived(_ audit: Audit, on index: Int) throws(Refusal) {
        guard let (replication, conversation) = try shared(audit.conversation, on: index),
            !commits.isBlocked
        else { return }
        let buckets = links[index].replications[replication].auditReceived(
            audit,
            of: conversations[conversation],
            at: step.now
        )
        guard buckets > 0 else { return }
        step.deliver(
            .divergence(
                conversation: conversations[conversation].number,
                device: links[index].device,
                buckets: buckets
            )
        )
    }

    // MARK: Sending

    /// Sends every member what changed and it may take: once per step, for all links.
    ///
    /// A peer that does not answer gets nothing more until it does, so that it will get the latest
    /// only.
    mutating func pump() {
        let members = links.memberCount
        askForBlobs()
        var sender = Sender(
            now: step.now,
            committed: commits.committed,
            unstoredBlobs: blobs.onTheirWayToDisk
        )
        for index in links.indices where links[index].isLive {
            for replication in links[index].replications.indices {
                pump(replication, on: index, with: &sender)
            }
            links.figures.envelopesSent += UInt64(links[index].outbox.takeEnvelopesAppended())
            pumpBlobs(on: index)
            renewCredit(on: index, members: members)
        }
    }

    private mutating func pump(_ replication: Int, on index: Int, with sender: inout Sender) {
        let number = links[index].replications[replication].conversation
        guard let conversation = conversationIndex(number),
            links[index].replications[replication]
                .mayHaveToSend(latest: conversations[conversation].feed.latest)
        else { return }
        links[index].pump(replication, from: conversations[conversation], with: &sender)
        for row in sender.takeAwaitedRows() where cache.awaits(row: row) {
            step.effects.reads.append(.session(row: row))
        }
    }

    /// Lets the peer send on as far as the commit queue has capacity, which all links share
    /// equally.
    ///
    /// While a link's part of it would not hold the longest envelopes, the next commit is waited
    /// for.
    private mutating func renewCredit(on index: Int, members: Int) {
        guard !commits.isBlocked else { return }
        let capacity = max(0, configuration.limits.commitQueueBytes - commits.pendingBytes)
        let part = min(capacity / members, CreditGrant.envelopeWindow)
        guard part >= CreditGrant.envelopeWindowMin || commits.pendingBytes == 0 else { return }
        let window = UInt64(max(part, CreditGrant.envelopeWindowMin))
        guard let credit = links[index].grant.renew(envelopeWindow: window) else { return }
        links[index].outbox.append(.credit(credit))
    }

    // MARK: Our disk

    /// Writes how far the feeds of the peers are here, together with what came of them: at once if
    /// anything else is written or a link ends, else after a while.
    mutating func saveCursors() {
        let isWriting = !step.writes.isEmpty || !step.changedSessions.isEmpty
        let isDue = isWriting || links.areSomeClosing || commits.areCursorsDue(at: step.now)
        commits.cursorsWait(!isDue && links.haveUnsavedCursors, at: step.now)
        guard isDue else { return }
        let conversations = conversations
        let cursors = links.takeUnsavedCursors { number in
            conversations.contains { $0.number == number }
        }
        for cursor in cursors {
            commits.writes(cursor)
            step.writes.append(
                .cursor(conversation: cursor.conversation, peer: cursor.peer, cursor.cursor)
            )
        }
    }
}
