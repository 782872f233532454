extension NodeMachine {
    /// An envelope came over a link: check it, merge it, note how far the peer's feed is here.
    mutating func envelopeReceived(_ frame: EnvelopeFrame, on index: Int) throws(Refusal) {
        let size = EnvelopeFrame.prefixBytes + frame.envelope.count
        figures.envelopesReceived += 1
        figures.envelopeBytesReceived += UInt64(size)
        guard links[index].grant.envelopeReceived(size) else {
            throw .overLimit("envelopes beyond the credit")
        }
        guard let share = try shareIndex(ofPeerNumber: frame.conversation, on: index),
            let slot = conversationIndex(links[index].shares[share].conversation)
        else { return }
        try expectPosition(frame.position)
        let envelope: Envelope
        do throws(CodecError) {
            envelope = try Envelope(decoding: frame.envelope)
        } catch {
            throw .malformed(error)
        }
        let head = envelope.head(in: conversations[slot].record.id, using: crypto)
        let isKnown = conversations[slot].knows(head, tag: envelope.header.tag)
        if !isKnown { try check(envelope, head, slot: slot) }
        let hops = frame.hops < UInt8.max ? frame.hops + 1 : UInt8.max
        let merged = merge(
            envelope,
            head,
            slot: slot,
            hops: hops,
            from: links[index].id
        )
        for holder in conversations[slot].wants.holders(of: head.name) where merged != .obsolete {
            conversations[slot].know(
                holder,
                among: links,
                has: head.dot,
                tag: envelope.header.tag
            )
        }
        if merged == .held {
            links[index].shares[share].incoming.isHeld = true
            holdOthers(missing: head.name, slot: slot)
        }
        if merged == .known { pushedInVain(head, tag: envelope.header.tag, share, on: index) }
        settle(head.name, tag: envelope.header.tag, slot: slot)
        if merged == .changed { links[index].broughtNews = turn.now }
        links[index].shares[share].incoming.received(position: frame.position)
    }

    /// Whether the author's device signed it, and the conversation's write key the device.
    private mutating func check(
        _ envelope: Envelope,
        _ head: Head,
        slot: Int
    ) throws(Refusal) {
        let id = head.dot.origin
        guard let key = conversations[slot].origins[id]?.record.deviceKey else {
            throw .uncertified
        }
        switch envelope.proof {
        case .single(let signature):
            guard crypto.verify(signature, of: head.digest.bytes.span.bytes, by: key) else {
                throw .badProof
            }
        case .batch(let signature, let index, let path):
            let crypto = crypto
            let isProven = conversations[slot].origins[id]?.checkedBatches.prove(
                head.digest,
                by: signature,
                at: index,
                path: path,
                using: crypto
            )
            if isProven == true { return }
            let batch = CheckedBatch(
                head.digest,
                by: signature,
                at: index,
                path: path,
                using: crypto
            )
            let signed = BatchTree.signedBytes(root: batch.root)
            guard crypto.verify(signature, of: signed.span.bytes, by: key) else {
                throw .badProof
            }
            conversations[slot].origins[id]?.checkedBatches.add(batch)
        }
    }

    /// What became of an envelope that was merged.
    enum Merged: Equatable {
        /// The session's heads are others now.
        case changed
        /// It was a head already.
        case known
        /// Others cover it, or it is below the cap.
        case obsolete
        /// No new session may be stored now.
        case held
    }

    /// Takes a checked envelope into its session.
    mutating func merge(
        _ envelope: Envelope,
        _ head: Head,
        slot: Int,
        hops: UInt8,
        from source: LinkID?
    ) -> Merged {
        let tag = envelope.header.tag
        guard let session = sessionNumber(tag, origin: head.dot.origin, slot: slot) else {
            return .held
        }
        let place = Int(session)
        let outcome = conversations[slot].sessions[place].register.merge(
            head,
            headsMax: Limits.heads
        )
        if let equivocation = outcome.equivocation {
            equivocated(equivocation.dot, tag: tag, slot: slot)
        }
        if source != nil { checkOwnDot(head.dot, slot: slot) }
        guard let change = outcome.change else {
            if let known = conversations[slot].sessions[place].index(of: head.dot) {
                // Who sent another envelope under its dot has yet to get it.
                guard outcome.equivocation == nil else { return .obsolete }
                if let source {
                    conversations[slot].sessions[place].heads[known].know(source, among: links)
                }
                return .known
            }
            if let dropped = outcome.dropped { reportDropped(dropped.dot, tag, slot) }
            return .obsolete
        }
        let record = record(of: envelope, slot: slot, hops: hops, from: source)
        reportTurn(of: head.dot, replacing: change.replaced, slot: slot, session: session)
        for replaced in change.replaced { removeHead(replaced, slot: slot, session: session) }
        if change.isKept { addHead(record, head, slot: slot, session: session) }
        if let dropped = outcome.dropped {
            removeHead(dropped, slot: slot, session: session)
            reportDropped(dropped.dot, tag, slot)
        }
        if change.isKept, change.isShown {
            show(envelope, head, slot: slot, session: session)
        }
        let before = conversations[slot].feed.position(of: session)
        let position = conversations[slot].feed.record(session)
        assert(position == record.position, "a change was numbered twice")
        if let before {
            conversations[slot].moves.moved(from: before, to: position, until: commits.next)
        }
        markDirty(slot: slot, session: session)
        turn.envelopeBytes += envelope.bytes.count
        if change.startsConflict || change.settlesConflict || change.headsAfter > 1 {
            reportConflict(slot: slot, session: session)
        }
        return .changed
    }

    /// What is kept with an envelope that will have the next feed position.
    private func record(
        of envelope: Envelope,
        slot: Int,
        hops: UInt8,
        from source: LinkID?
    ) -> HeadRecord {
        HeadRecord(
            dot: envelope.header.dot,
            position: conversations[slot].feed.latest + 1,
            envelope: envelope.bytes.compacted(),
            sentAfter: source == nil ? commits.next : Ticket(0),
            size: envelope.bytes.count,
            hops: hops,
            knownTo: source.map { [$0] } ?? [],
            next: envelope.header.next,
            blobs: envelope.header.blobs,
            isTombstone: envelope.header.isTombstone
        )
    }

    /// What could not be taken is asked of nobody now, and comes again with a feed: so those that
    /// told of it must start over as well.
    private mutating func holdOthers(missing name: EnvelopeName, slot: Int) {
        let number = conversations[slot].number
        for index in links.indices {
            guard let share = links[index].share(ofConversation: number),
                links[index].shares[share].incoming.isMissing(name)
            else { continue }
            links[index].shares[share].incoming.isHeld = true
        }
    }

    /// The envelope came: nobody is asked any more for it, nor for what it replaces.
    private mutating func settle(_ name: EnvelopeName, tag: SessionTag, slot: Int) {
        for entry in conversations[slot].wants.entries(of: tag) {
            if entry.name != name, case .missing = conversations[slot].standing(of: entry) {
                continue
            }
            settle(entry.name, slot: slot)
        }
    }

    private mutating func settle(_ name: EnvelopeName, slot: Int) {
        conversations[slot].wants.settled(name)
        let number = conversations[slot].number
        for index in links.indices {
            guard let share = links[index].share(ofConversation: number) else { continue }
            links[index].shares[share].incoming.settled(name)
        }
    }

    /// Feed positions beyond all that a node can count are a lie.
    func expectPosition(_ position: UInt64) throws(Refusal) {
        guard position < FeedCursor.positionEnd else {
            throw .overLimit("a feed position that nobody reaches")
        }
    }
}
