/// The usual merge: a message that replaces the only head of its session.
extension Conversation {
    /// Replaces the only head of a session in place, if the general merge would do just that.
    ///
    /// Usual means: from a peer, by a writer other than this node with an envelope in the store,
    /// without wants in the session and without pictures, and of a size that no quota leaves out.
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
        guard let session = arrival.session, !isPresent(head.dot.origin),
            sessions[Int(session)].isOnlyHeadReplaced(by: head, size: arrival.size),
            let writer = writer(of: head.dot.origin, in: Int(session)),
            wants.entries(of: arrival.header.tag).isEmpty,
            let pushed = PushedEnvelope(arrival)
        else { return nil }
        let index = Int(session)
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
            hash: OriginHash(head.dot.origin),
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
    mutating func replaceOnlyHead(
        of session: Int32,
        by head: Head,
        _ pushed: PushedEnvelope,
        writer: Int32,
        hash: OriginHash,
        until ticket: Ticket,
        cache: inout EnvelopeCache
    ) -> Bool {
        let position = feed.latest + 1
        let old = sessions.replaceOnlyHead(
            of: session,
            by: head,
            pushed,
            writer: writer,
            at: position,
            hash: hash
        )
        roles.sides.remove(old.dot, of: session)
        amounts.subtract(KeptAmount(heads: 1, bytes: old.size), of: old.writer)
        amounts.add(KeptAmount(heads: 1, bytes: pushed.size), of: writer)
        cache.dropped(old.place, size: old.size)
        cache.kept(pushed.place, size: pushed.size)
        if !old.isInCacheQueue { cache.queued(conversation: number, session: session) }
        number(session, position, until: ticket)
        return old.isDirty
    }

    /// The number of the author's device among the writers; nil without a stored envelope.
    func writer(of origin: OriginID, in index: Int) -> Int32? {
        let isSame = sessions[index].heads[0].dot.origin == origin
        let writer = isSame ? sessions[index].heads[0].writer : origins.writer(of: origin)
        return writer == OriginState.noWriter ? nil : writer
    }
}
