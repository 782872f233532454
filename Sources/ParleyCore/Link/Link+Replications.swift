/// The replications of a link, which are changed in place: a copy costs more than most changes.
extension Link {
    /// Changes each replication.
    @inline(__always)
    mutating func forEachReplication(_ change: (inout Replication) -> Void) {
        for index in replications.indices { change(&replications[index]) }
    }

    /// Adds the moments at which something is due on the link to `next`.
    ///
    /// The method is inlined: otherwise the compiler copies a link of a table for the call.
    @inline(__always)
    func addDeadlines(to next: inout Earliest) {
        next.add(phase.deadline)
        next.add(duplicate?.deadline)
        next.add(liveness.deadline)
        guard isLive else { return }
        for index in replications.indices { next.add(replications[index].deadline) }
    }

    /// Lowers `sent` for each conversation to the position up to which this link needs no segments.
    ///
    /// The method is inlined for the same reason.
    @inline(__always)
    func addSegmentsSent(to sent: inout [UInt32: UInt64]) {
        for index in replications.indices {
            guard let position = replications[index].segmentsSent else { continue }
            let number = replications[index].conversation
            sent[number] = min(sent[number] ?? .max, position)
        }
    }

    /// Sets the delay of announcements in each conversation, by the neighbours chosen there.
    mutating func announces(to neighbours: [UInt32: [DeviceID]], isFirst: Bool, at now: Moment) {
        for index in replications.indices {
            let chosen = neighbours[replications[index].conversation] ?? []
            let isNeighbour = chosen.contains(device)
            let delay = AnnouncementDelay(isNeighbour: isNeighbour, isFirst: isFirst)
            replications[index].announces(after: delay, at: now)
        }
    }

    // MARK: Sending

    /// Sends the changes of all conversations that the peer may take now.
    mutating func pump(from conversations: ConversationTable, with sender: inout Sender) {
        for index in replications.indices {
            guard let conversation = conversations.index(of: replications[index].conversation),
                replications[index]
                    .mayHaveToSend(
                        latest: conversations[conversation].feed.latest,
                        at: sender.now
                    )
            else { continue }
            pump(index, from: conversations[conversation], with: &sender)
        }
    }

    /// Sends the changes of the conversation of one replication.
    private mutating func pump(
        _ index: Int,
        from conversation: Conversation,
        with sender: inout Sender
    ) {
        let names = namesLeft(for: index)
        sender.namesLeft = names
        swap(&outbox, &sender.outbox)
        replications[index].pump(from: conversation, into: &sender)
        swap(&outbox, &sender.outbox)
        if sender.namesLeft < names { outbox.credit.lastAnnounced = index }
        switch outbox.takeExpectation() {
        case .nothing: break
        case .receipt: liveness.expectsReceipt(at: sender.now)
        case .answer: liveness.expectsAnswer(at: sender.now)
        }
    }

    /// How many envelopes one conversation may announce: half of the credit if another waits, and
    /// none while the peer does not take what waits in the outbox.
    ///
    /// The last envelope is for another conversation than that of the announcement before.
    private mutating func namesLeft(for index: Int) -> Int {
        let left = min(outbox.credit.namesLeft, Limits.haveEntries)
        guard left > 0 else { return 0 }
        guard outbox.pending < outbox.capacity else {
            outbox.isAwaitingCapacity = true
            return 0
        }
        let isShared = replications.indices.contains {
            $0 != index && replications[$0].awaitsNames
        }
        return isShared ? (left + (index == outbox.credit.lastAnnounced ? 0 : 1)) / 2 : left
    }

    /// Tells the peer how much of its feeds is on disk.
    @inline(__always)
    mutating func confirm(issued: Ticket, committed: Ticket, at now: Moment) {
        for index in replications.indices {
            let stored = replications[index].confirmation(
                issued: issued,
                committed: committed,
                ridesAlong: outbox.hasFrames,
                at: now
            )
            if let stored { outbox.append(.stored(stored)) }
        }
    }

    /// Sends the audit sums of each conversation with nothing in flight on this link.
    mutating func startAudits(of conversations: ConversationTable) {
        for index in replications.indices {
            guard let conversation = conversations.index(of: replications[index].conversation),
                let audit = replications[index].audit(of: conversations[conversation])
            else { continue }
            outbox.append(.audit(audit))
        }
    }

    /// The peer pushed an envelope in vain: see `Replication`.
    mutating func pushedInVain(_ head: Head, tag: SessionTag, on index: Int, at now: Moment) {
        replications[index].pushedInVain(head, tag: tag, credit: &outbox.credit, at: now)
    }

    /// Compares the peer's sums with those of a conversation: see `Replication`.
    mutating func auditReceived(
        _ audit: Audit,
        of conversation: Conversation,
        on index: Int,
        at now: Moment
    ) throws(Refusal) -> AuditResult {
        try replications[index]
            .auditReceived(audit, of: conversation, credit: &outbox.credit, at: now)
    }

    /// Sends addresses of other members of a conversation.
    mutating func send(_ addresses: [PeerAddress], of conversation: UInt32) {
        guard let replication = replication(of: conversation), !addresses.isEmpty else { return }
        let frame = PeerAddresses(
            conversation: replications[replication].ownNumber,
            peers: Array(addresses.prefix(Limits.peerAddresses))
        )
        outbox.append(.peers(frame))
    }

    /// The peer answers again: resumes the replications.
    mutating func resumed(_ conversations: ConversationTable) {
        forEachReplication { replication in
            guard let conversation = conversations.index(of: replication.conversation) else {
                return
            }
            replication.resumed(latest: conversations[conversation].feed.latest)
        }
    }

    /// Takes the peer's confirmation of our feed, and reports a change of its capacity.
    ///
    /// - Returns: whether the peer has more than before.
    mutating func storedReceived(
        _ stored: Stored,
        on index: Int,
        into step: inout Step
    ) throws(Refusal) -> Bool {
        let wasFull = replications[index].isPeerFull
        let isFurther = try replications[index].storedReceived(stored)
        if stored.isFull != wasFull {
            let number = replications[index].conversation
            step.deliver(notice(of: .full(conversation: number, stored.isFull)))
        }
        return isFurther
    }

    // MARK: Cursors

    /// Takes the cursors to write, which count as on their way to the disk from now on.
    ///
    /// `isKept` says whether a device's cursor is kept; nil if this node has left the conversation.
    mutating func takeUnsavedCursors(
        isKept: (UInt32, DeviceID) -> Bool?,
        into cursors: inout [PendingCursor]
    ) {
        for index in replications.indices {
            let number = replications[index].conversation
            guard let cursor = replications[index].unsavedCursor,
                let isKept = isKept(number, device)
            else { continue }
            replications[index].saved(cursor)
            guard isKept else { continue }
            cursors.append(PendingCursor(conversation: number, peer: device, cursor: cursor))
        }
    }
}
