/// The usual merge: a message that replaces the only head of its session.
extension Conversation {
    /// Replaces the only head of a session in place, if the general merge would do just that.
    ///
    /// Usual means: from a peer, by another writer than this node and one of whom an envelope is
    /// stored, nothing of the session is wanted, no pictures, and a size that no quota leaves out.
    /// A session can always be written on within `Limits.sessionBytes`, so that no quota has to be
    /// looked at.
    ///
    /// - Returns: nil if anything is unusual, and then nothing has changed.
    mutating func mergeUsual(
        _ arrival: Arrival,
        _ terms: MergeTerms,
        cache: inout EnvelopeCache,
        using crypto: some Cryptography
    ) -> MergeReport? {
        let head = arrival.head
        guard let session = arrival.session, let pushed = PushedEnvelope(arrival),
            !isPresent(head.dot.origin),
            sessions[Int(session)].isOnlyHeadReplaced(by: head, size: arrival.size),
            let writer = writer(of: head.dot.origin, in: Int(session)),
            wants.entries(of: arrival.header.tag).isEmpty
        else { return nil }
        let index = Int(session)
        let hash = OriginHash(head.dot.origin)
        let linesBefore = keysInTranscript(of: session)
        var report = MergeReport(.changed)
        if !sessions[index].heads[0].next.isEmpty {
            report.outOfTurn = outOfTurn(head.dot, replacing: sessions[index].register.heads, index)
        }
        let wasDirty = replaceOnlyHead(
            of: session,
            by: head,
            pushed,
            writer: writer,
            hash: hash,
            until: terms.ticket,
            cache: &cache
        )
        if keys.canRead {
            show(arrival.items, head, index, using: crypto)
            report.isShown = true
            reorder(session, from: linesBefore)
        }
        report.changedSession = wasDirty ? nil : session
        return report
    }

    /// Replaces the only head of a session, after all look-ups.
    ///
    /// - Returns: whether the row of the session was due for writing already.
    @inline(__always)
    private mutating func replaceOnlyHead(
        of session: Int32,
        by head: Head,
        _ pushed: PushedEnvelope,
        writer: Int32,
        hash: OriginHash,
        until ticket: Ticket,
        cache: inout EnvelopeCache
    ) -> Bool {
        let position = feed.latest + 1
        let old = sessions[Int(session)].replaceOnlyHead(by: head, pushed, writer, position)
        roles.sides.remove(old.dot, of: session)
        let oldHash = old.dot.origin == head.dot.origin ? hash : OriginHash(old.dot.origin)
        headSessions.remove(Int(session), hash: oldHash.hash(of: old.dot.sequence))
        headSessions.insert(Int(session), hash: hash.hash(of: head.dot.sequence))
        let bucket = Int(pushed.tag.value.words.0 >> 56)
        auditSums[bucket] = auditSums[bucket] &- old.digestPrefix &+ head.digest.words.0
        amounts.subtract(KeptAmount(heads: 1, bytes: old.size), of: old.writer)
        amounts.add(KeptAmount(heads: 1, bytes: pushed.size), of: writer)
        cache.dropped(old.place, size: old.size)
        cache.kept(pushed.place, size: pushed.size)
        if !old.isInCacheQueue { cache.queued(conversation: number, session: session) }
        number(session, position, until: ticket)
        return old.isDirty
    }

    /// The number of the author's device among the writers; nil without a stored envelope.
    private func writer(of origin: OriginID, in index: Int) -> Int32? {
        var writer = sessions[index].heads[0].writer
        if sessions[index].heads[0].dot.origin != origin {
            writer = origins.writer(of: origin)
        }
        return writer == OriginState.noWriter ? nil : writer
    }
}

/// The usual merge of consecutive envelopes of a batch frame.
extension Conversation {
    /// What limits a run.
    struct RunTerms {
        let link: LinkID
        /// The commit that will write the changes.
        let ticket: Ticket
        /// The least position that the peer may send now.
        var position: UInt64
        /// The credit that the peer has left, in bytes.
        var credit: UInt64

        func admits(_ entry: PlainEntry) -> Bool {
            entry.position >= position && UInt64(entry.creditBytes) <= credit
        }
    }

    /// What a run merged.
    struct Run {
        var count = 0
        /// The size of the envelopes, and the credit that they use, in bytes.
        var bytes = 0
        var creditBytes = 0
        /// The positions of the first and of the last envelope.
        var positions: ClosedRange<UInt64> = 0...0

        mutating func takes(_ entry: PlainEntry) {
            positions = (count == 0 ? entry.position : positions.lowerBound)...entry.position
            count += 1
            bytes += entry.size
            creditBytes += entry.creditBytes
        }
    }

    /// Merges the next envelopes of a batch frame, up to the first for which that is not usual.
    ///
    /// A run begins behind an envelope of the frame that was proven, has the same author, and only
    /// a relay has runs. The result is the one of merging envelope by envelope; an envelope behind
    /// the run is yet to be checked in any respect. `changed` gets the sessions whose rows became
    /// due for writing.
    mutating func mergeRun(
        _ envelopes: inout FrameEnvelopes,
        _ terms: RunTerms,
        cache: inout EnvelopeCache,
        changed: (Int32) -> Void,
        using crypto: some Cryptography
    ) -> Run {
        var run = Run()
        guard !keys.canRead, wants.isEmpty, let block = envelopes.block,
            let first = block.plainEntry(at: envelopes.offset), !isPresent(first.header.dot.origin),
            var batch = origins.checkedBatch(of: first.header.dot.origin, with: envelopes.proof)
        else { return run }
        var terms = terms
        let origin = first.header.dot.origin
        let (prefix, hash) = (EnvelopeItems.digestPrefix(in: record.id), OriginHash(origin))
        var next: PlainEntry? = first
        var last: BatchEntry?
        while let entry = next, entry.header.dot.origin == origin, terms.admits(entry),
            let session = sessionNumbers[entry.header.tag],
            sessions[Int(session)].heads.count == 1, sessions[Int(session)].heads[0].next.isEmpty,
            sessions[Int(session)].heads[0].dot.origin == origin,
            let writer = writer(of: origin, in: Int(session))
        {
            let digest = block.digest(of: entry.entry, after: prefix, using: crypto)
            let head = entry.header.head(digest: digest)
            guard sessions[Int(session)].isOnlyHeadReplaced(by: head, size: entry.size),
                block.proves(digest, entry.entry, in: &batch, using: crypto)
            else { break }
            let pushed = PushedEnvelope(entry, of: block, from: terms.link)
            let wasDirty = replaceOnlyHead(
                of: session,
                by: head,
                pushed,
                writer: writer,
                hash: hash,
                until: terms.ticket,
                cache: &cache
            )
            if !wasDirty { changed(session) }
            terms.position = entry.position
            terms.credit -= UInt64(entry.creditBytes)
            run.takes(entry)
            last = entry.entry
            next = block.plainEntry(at: entry.entry.end)
        }
        guard let last else { return run }
        envelopes.passed(last, provenBy: batch)
        origins.put(batch, of: origin)
        return run
    }
}
