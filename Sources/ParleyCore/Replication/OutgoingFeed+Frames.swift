/// Puts the frames of a feed into a link's outbox.
extension OutgoingFeed {
    /// Whether a head can be sent now, after `held` bytes that are about to follow the outbox.
    ///
    /// Capacity and credit must suffice. The envelope must be in memory, or is read back. The blobs
    /// must be on disk, and the head itself if this node wrote it.
    mutating func canSend(
        _ head: HeadRecord,
        row: Int64,
        besides held: Int = 0,
        _ sender: inout Sender
    ) -> Bool {
        guard
            sender.outbox.pending + held < sender.outbox.capacity
                && sender.outbox.credit.allowsEnvelope(head.size + EnvelopeFrame.prefixBytes)
        else { return false }
        guard head.sentAfter <= sender.committed else { return false }
        // If a crash lost the picture, peers would list a blob that no node has.
        guard !head.blobs.contains(where: { sender.unstoredBlobs.contains($0.id) }) else {
            return false
        }
        guard head.place == nil else { return true }
        awaitedRow = row
        sender.awaits(row: row)
        return false
    }

    /// Sends one envelope: a prefix for this link, then the stored bytes.
    mutating func push(
        _ head: HeadRecord,
        position: UInt64,
        of conversation: Conversation,
        into sender: inout Sender
    ) {
        guard let envelope = head.envelope else { return }
        introduce(head.dot.origin, of: conversation, into: &sender)
        let isAwaited = confirmations.areUrgent(upTo: position)
        if isAwaited { requests(position) }
        EnvelopeFrame.appendPrefix(
            to: &sender.outbox.bytes,
            conversation: number,
            hops: head.hops,
            position: position,
            isAwaited: isAwaited,
            envelopeCount: envelope.count
        )
        envelope.append(to: &sender.outbox.bytes)
        sender.outbox.appended(
            envelopes: 1,
            creditBytes: envelope.count + EnvelopeFrame.prefixBytes,
            expecting: position > 0 ? .answer : .receipt
        )
        claims(pushed: position)
    }

    /// Adds a wanted envelope to the frames of `writer`, which follow the outbox with the origin.
    private mutating func push(
        wanted head: HeadRecord,
        of conversation: Conversation,
        by writer: inout BatchFrameWriter,
        into sender: inout Sender
    ) {
        guard let place = head.place else { return }
        introduce(head.dot.origin, of: conversation, into: &sender)
        writer.append(place, proofStart: head.proofStart, hops: head.hops, position: 0)
        sender.outbox.appended(
            envelopes: 1,
            creditBytes: head.size + EnvelopeFrame.prefixBytes,
            expecting: .receipt
        )
    }

    /// Sends the record of an origin, once per link.
    mutating func introduce(
        _ id: OriginID,
        of conversation: Conversation,
        into sender: inout Sender
    ) {
        guard sentOrigins.insert(id).inserted, let origin = conversation.origins[id]
        else { return }
        let frame = OriginFrame(conversation: number, record: origin.record)
        sender.outbox.append(.origin(frame))
    }

    /// Sends the queued entries if there are many, if they waited long, or if `force` is set.
    mutating func sendHaves(into sender: inout Sender, force: Bool) {
        var rest = takeAnnouncements(at: sender.now, force: force)[...]
        guard !rest.isEmpty else { return }
        sender.outbox.expect(rest.contains { $0.isAwaited } ? .answer : .receipt)
        while !rest.isEmpty {
            let list = HaveList(
                conversation: number,
                entries: Array(rest.prefix(Self.announcementsPerFrame))
            )
            sender.outbox.append(.have(list))
            rest = rest.dropFirst(Self.announcementsPerFrame)
        }
    }

    /// Sends wanted envelopes as far as credit, capacity and memory allow.
    ///
    /// Envelopes of one signature share a frame, as a peer that catches up wants many. A replaced
    /// envelope is not sent, as the replacement is in the feed. The peer hears "not found" once the
    /// replacement is on disk: after a crash the old envelope might be a head again, and would not
    /// be announced again.
    mutating func pumpWanted(of conversation: Conversation, into sender: inout Sender) {
        guard !wanted.isEmpty else { return }
        var writer = BatchFrameWriter(
            conversation: number,
            bytesMax: BatchFrame.wantedBytesMax
        )
        defer { sender.outbox.bytes += writer.finish() }
        var done = 0
        for (session, name) in wanted {
            let index = Int(session)
            let isWanted = conversation.sessions[index].hasHead(name)
            let answer = conversation.sessions[index].answer(to: name, isWanted, for: link)
            if let answer {
                // Read in place: copying a head costs more than sending the envelope.
                guard
                    canSend(
                        conversation.sessions[index].heads[answer],
                        row: conversation.sessions[index].row,
                        besides: writer.count,
                        &sender
                    )
                else {
                    readAhead(wantedAfter: done, of: conversation, into: &sender)
                    break
                }
                push(
                    wanted: conversation.sessions[index].heads[answer],
                    of: conversation,
                    by: &writer,
                    into: &sender
                )
            }
            if isWanted ? answer == nil : !conversation.isMoving(session) {
                announce(.notFound(name), at: sender.now)
            }
            done += 1
        }
        guard done < wanted.count else {
            // An idle link keeps no capacity.
            wanted = []
            return
        }
        wanted.removeFirst(done)
    }
}

extension SessionState {
    /// Whether the named envelope is a head of the session.
    fileprivate func hasHead(_ name: EnvelopeName) -> Bool {
        register.heads.indices.contains {
            register.heads[$0].dot == name.dot
                && register.heads[$0].digest.words.0 == name.digestPrefix
        }
    }

    /// The index of the head that answers the peer's want.
    ///
    /// It is nil if no head has the dot or the store has lost the head, or if the peer wants
    /// another digest and has the head already.
    fileprivate func answer(to name: EnvelopeName, _ isWanted: Bool, for peer: LinkID) -> Int? {
        guard let head = index(of: name.dot), !heads[head].isLost,
            isWanted || !heads[head].knownTo.contains(peer)
        else { return nil }
        return head
    }
}
