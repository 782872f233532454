extension NodeMachine {
    /// Sends the heads of one session that are new to the peer, or tells them.
    ///
    /// Only the last of them carries the position: a link that ends between them must not leave a
    /// peer that takes the rest for sent.
    ///
    /// - Returns: false if it has to wait for credit, room or the disk.
    mutating func pass(
        _ session: Int32,
        at place: FeedPlace,
        slot: Int,
        _ share: Int,
        on index: Int
    ) -> Bool {
        if conversations[slot].sessions[Int(session)].heads.count == 1 {
            return passOnly(session, at: place, slot: slot, share, on: index)
        }
        let (pushes, tells) = split(session, slot: slot, share, on: index)
        if !tells.isEmpty, links[index].shares[share].outgoing.isToldFull { return false }
        if !pushes.isEmpty, links[index].shares[share].outgoing.awaitsWord(of: session) {
            return false
        }
        let row = conversations[slot].sessions[Int(session)].row
        for (number, head) in pushes.enumerated() {
            guard canSend(head, row: row, share, on: index) else { return false }
            tellDue(share, on: index, force: true)
            let isLast = tells.isEmpty && number == pushes.count - 1
            push(head, position: isLast ? place.claim : 0, slot: slot, share, on: index)
            if isLast {
                links[index].shares[share].outgoing.pushed(session, at: place.position)
            } else {
                links[index].shares[share].outgoing.began(session, with: head.position)
            }
        }
        for (number, entry) in tells.enumerated() {
            var entry = entry
            entry.position = number == tells.count - 1 ? place.claim : 0
            tellOfFeed(entry, at: place, slot: slot, share, on: index)
        }
        return true
    }

    /// As `pass`, for the one head of a session without a conflict: what nearly all are.
    private mutating func passOnly(
        _ session: Int32,
        at place: FeedPlace,
        slot: Int,
        _ share: Int,
        on index: Int
    ) -> Bool {
        let row = conversations[slot].sessions[Int(session)].row
        let head = conversations[slot].sessions[Int(session)].heads[0]
        guard !head.isLost, !head.knownTo.contains(links[index].id) else { return true }
        guard head.position > links[index].shares[share].outgoing.sent,
            isPushed(head, slot: slot, share, on: index)
        else {
            guard !links[index].shares[share].outgoing.isToldFull else { return false }
            guard var entry = conversations[slot].entry(of: head.dot, session: session) else {
                return true
            }
            entry.position = place.claim
            tellOfFeed(entry, at: place, slot: slot, share, on: index)
            return true
        }
        guard !links[index].shares[share].outgoing.hasSent(head.position, of: session) else {
            return true
        }
        guard !links[index].shares[share].outgoing.awaitsWord(of: session),
            canSend(head, row: row, share, on: index)
        else { return false }
        tellDue(share, on: index, force: true)
        push(head, position: place.claim, slot: slot, share, on: index)
        links[index].shares[share].outgoing.pushed(session, at: place.position)
        return true
    }

    private mutating func tellOfFeed(
        _ entry: HaveEntry,
        at place: FeedPlace,
        slot: Int,
        _ share: Int,
        on index: Int
    ) {
        // So that the peer knows whether it has a link to the author, and better waits for it.
        introduce(entry.dot.origin, slot: slot, share, on: index)
        links[index].shares[share].outgoing.tell(entry, of: place.position, at: turn.now)
    }

    /// The heads of a session that the peer may lack: those to push, and those to tell.
    ///
    /// What was passed before is told again, in case that the peer dropped it for want of room.
    private func split(
        _ session: Int32,
        slot: Int,
        _ share: Int,
        on index: Int
    ) -> (pushes: [HeadRecord], tells: [HaveEntry]) {
        let link = links[index].id
        let sent = links[index].shares[share].outgoing.sent
        var pushes: [HeadRecord] = []
        var tells: [HaveEntry] = []
        for head in conversations[slot].sessions[Int(session)].heads
        where !head.isLost && !head.knownTo.contains(link) {
            if head.position > sent, isPushed(head, slot: slot, share, on: index) {
                guard !links[index].shares[share].outgoing.hasSent(head.position, of: session)
                else {
                    continue
                }
                pushes.append(head)
            } else if let entry = conversations[slot].entry(of: head.dot, session: session) {
                tells.append(entry)
            }
        }
        return (pushes, tells)
    }

    /// Authors push.
    ///
    /// Others push what is new to a peer that has no better source, and tell the rest: what was
    /// there before the link, what has come far, and what the peer may be about to tell. `passRun`
    /// asks the same of many heads at once.
    private func isPushed(_ head: HeadRecord, slot: Int, _ share: Int, on index: Int) -> Bool {
        if conversations[slot].isOwn(head.dot.origin, device: device) { return true }
        return head.position > links[index].shares[share].outgoing.replayEnd
            && Int(head.hops) < Limits.hops
            && !links[index].shares[share].outgoing.servedElsewhere.contains(head.dot.origin)
            && !links[index].shares[share].incoming.isReplaying
    }

    /// Whether there is room and credit for a head, it is in memory, its blobs can be read, and it
    /// is on disk if it is of this node; asks the disk if need be.
    mutating func canSend(
        _ head: HeadRecord,
        row: Int64,
        _ share: Int,
        on index: Int
    ) -> Bool {
        guard
            links[index].outbox.pending < configuration.limits.outboxBytes
                && links[index].sendCredit.allowsEnvelope(head.size + EnvelopeFrame.prefixBytes)
        else { return false }
        guard head.sentAfter <= commits.committed else { return false }
        // A picture that a crash may still take away would be listed for ever, and be nowhere.
        guard !head.blobs.contains(where: { blobs.isOnItsWayToDisk($0.id) }) else { return false }
        guard head.envelope == nil else { return true }
        links[index].shares[share].outgoing.awaitedRow = row
        if rowsAwaited.insert(row).inserted { turn.effects.reads.append(.session(row: row)) }
        return false
    }

    /// Sends one envelope: the bytes as they are, behind a prefix of this link.
    mutating func push(
        _ head: HeadRecord,
        position: UInt64,
        slot: Int,
        _ share: Int,
        on index: Int
    ) {
        guard let envelope = head.envelope else { return }
        introduce(head.dot.origin, slot: slot, share, on: index)
        let number = links[index].shares[share].ownNumber
        EnvelopeFrame.appendPrefix(
            to: &links[index].outbox.bytes,
            conversation: number,
            hops: head.hops,
            position: position,
            envelopeCount: envelope.count
        )
        envelope.append(to: &links[index].outbox.bytes)
        figures.envelopesSent += 1
        links[index].sendCredit.envelopesSent += UInt64(
            envelope.count + EnvelopeFrame.prefixBytes
        )
        links[index].shares[share].outgoing.claims(position)
        links[index].liveness.expectsAnswer(at: turn.now)
    }

    /// Sends who stands behind an origin, once per link.
    mutating func introduce(_ id: OriginID, slot: Int, _ share: Int, on index: Int) {
        guard links[index].shares[share].outgoing.sentOrigins.insert(id).inserted,
            let origin = conversations[slot].origins[id]
        else { return }
        let number = links[index].shares[share].ownNumber
        links[index].outbox.append(
            .origin(OriginFrame(conversation: number, record: origin.record))
        )
    }
}

extension ConversationState {
    /// Whether this device wrote under the origin, in this epoch or an earlier one.
    func isOwn(_ origin: OriginID, device: DeviceID) -> Bool {
        origin == keys.ownOrigin || origins[origin]?.device == device
    }

    func sessionNumber(ofRow row: Int64) -> Int32? {
        sessionRows[row]
    }

    /// What to tell of a head, without a position.
    func entry(of dot: Dot, session: Int32) -> HaveEntry? {
        let state = sessions[Int(session)]
        return state.register.heads.first { $0.dot == dot }.map {
            HaveEntry($0, tag: state.tag, position: 0)
        }
    }
}
