/// Puts frames of one conversation into a link's outbox.
extension Replication {
    /// Whether a head can be sent now: there is capacity and credit, its envelope is in memory, its
    /// blobs are on disk, and so is the head itself if this node wrote it.
    ///
    /// An envelope that is not in memory is read back. `held` bytes are to follow those in the
    /// outbox.
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
        // If a crash lost the picture, peers would list it for ever and no node would have it.
        guard !head.blobs.contains(where: { sender.unstoredBlobs.contains($0.id) }) else {
            return false
        }
        guard head.envelope == nil else { return true }
        outgoing.awaitedRow = row
        sender.awaits(row: row)
        return false
    }

    /// Sends one envelope: its stored bytes, behind a prefix for this link.
    mutating func push(
        _ head: HeadRecord,
        position: UInt64,
        of conversation: Conversation,
        into sender: inout Sender
    ) {
        guard let envelope = head.envelope else { return }
        introduce(head.dot.origin, of: conversation, into: &sender)
        let isAwaited = outgoing.isUrgent(upTo: position)
        if isAwaited { outgoing.requests(position) }
        EnvelopeFrame.appendPrefix(
            to: &sender.outbox.bytes,
            conversation: ownNumber,
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
        outgoing.claims(pushed: position)
    }

    /// Adds an envelope that the peer wants to those that are being written.
    ///
    /// They follow what is in the outbox, and the record of the envelope's origin is there.
    private mutating func push(
        wanted head: HeadRecord,
        of conversation: Conversation,
        by writer: inout BatchFrameWriter,
        into sender: inout Sender
    ) {
        guard let envelope = head.envelope else { return }
        introduce(head.dot.origin, of: conversation, into: &sender)
        writer.append(envelope, proofStart: head.proofStart, hops: head.hops, position: 0)
        sender.outbox.appended(
            envelopes: 1,
            creditBytes: envelope.count + EnvelopeFrame.prefixBytes,
            expecting: .receipt
        )
    }

    /// Sends the record of an origin, once per link.
    mutating func introduce(
        _ id: OriginID,
        of conversation: Conversation,
        into sender: inout Sender
    ) {
        guard outgoing.sentOrigins.insert(id).inserted, let origin = conversation.origins[id]
        else { return }
        let frame = OriginFrame(conversation: ownNumber, record: origin.record)
        sender.outbox.append(.origin(frame))
    }

    /// Sends the queued entries if there are many, if they waited long, or if `force` is set.
    mutating func sendHaves(into sender: inout Sender, force: Bool) {
        var rest = outgoing.takeAnnouncements(at: sender.now, force: force)[...]
        guard !rest.isEmpty else { return }
        sender.outbox.expect(rest.contains { $0.isAwaited } ? .answer : .receipt)
        while !rest.isEmpty {
            let list = HaveList(
                conversation: ownNumber,
                entries: Array(rest.prefix(OutgoingFeed.announcementsPerFrame))
            )
            sender.outbox.append(.have(list))
            rest = rest.dropFirst(OutgoingFeed.announcementsPerFrame)
        }
    }

    /// Sends the queued wants, each once and not too many at a time.
    ///
    /// We do not send those that were settled while they waited, or passed on to another holder.
    mutating func sendWants(of conversation: Conversation, into sender: inout Sender) {
        guard !incoming.wants.isEmpty else { return }
        let link = link
        let wants = incoming.wants.take { conversation.wants.entry($0, askedOf: link) }
        guard !wants.isEmpty else { return }
        sender.outbox.append(.want(WantList(conversation: ownNumber, entries: wants)))
        sender.outbox.expect(.answer)
    }

    /// Sends the envelopes that the peer wants, as far as credit, capacity and memory allow; those
    /// of one signature share a frame, as a peer that catches up wants many.
    ///
    /// We do not send envelopes that were replaced in the meantime: the replacement is in the feed.
    /// The peer hears that they are not found once the replacement is on disk: after a crash the
    /// old envelope might be a head again, and would not be announced again.
    mutating func pumpWanted(of conversation: Conversation, into sender: inout Sender) {
        guard !outgoing.wanted.isEmpty else { return }
        var writer = BatchFrameWriter(
            conversation: ownNumber,
            bytesMax: BatchFrame.wantedBytesMax
        )
        defer { sender.outbox.bytes += writer.finish() }
        var done = 0
        for (session, name) in outgoing.wanted {
            let index = Int(session)
            let isWanted = conversation.hasHead(name, in: index)
            let answer = conversation.answer(to: name, in: index, isWanted: isWanted, for: link)
            if let answer {
                // Read in place: a copy of a head costs more than what is sent of it.
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
                let tag = conversation.sessions[index].tag
                outgoing.announce(.notFound(name, tag: tag), at: sender.now)
            }
            done += 1
        }
        guard done < outgoing.wanted.count else {
            // An idle link keeps no capacity.
            outgoing.wanted = []
            return
        }
        outgoing.wanted.removeFirst(done)
    }
}

extension Conversation {
    /// Whether this very envelope is a head of a session.
    fileprivate func hasHead(_ name: EnvelopeName, in session: Int) -> Bool {
        sessions[session].register.heads.indices.contains {
            sessions[session].register.heads[$0].name == name
        }
    }

    /// The index of the head with which a want of the peer is answered; nil if the store has lost
    /// it, or if it is another one than the peer wants and the peer has it.
    fileprivate func answer(
        to name: EnvelopeName,
        in session: Int,
        isWanted: Bool,
        for peer: LinkID
    ) -> Int? {
        guard let head = sessions[session].index(of: name.dot),
            !sessions[session].heads[head].isLost,
            isWanted || !sessions[session].heads[head].knownTo.contains(peer)
        else { return nil }
        return head
    }
}
