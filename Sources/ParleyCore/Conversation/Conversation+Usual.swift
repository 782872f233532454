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
        guard let session = arrival.session, arrival.source != nil,
            isUsual(arrival, in: Int(session)), let writer = writer(of: arrival, in: Int(session)),
            wants.entries(of: arrival.header.tag).isEmpty
        else { return nil }
        let index = Int(session)
        let linesBefore = keysInTranscript(of: session)
        guard let old = sessions[index].register.replaceOnlyHead(by: arrival.head) else {
            return nil
        }
        var report = MergeReport(.changed)
        if !sessions[index].heads[0].next.isEmpty {
            report.outOfTurn = outOfTurn(arrival.head.dot, replacing: Few(only: old), index)
        }
        drop(old, index, from: &cache)
        let position = feed.latest + 1
        // The record is made in its place, as a copy costs more than most of the rest.
        sessions[index].heads[0] = HeadRecord(
            arrival,
            writer: writer,
            position: position,
            isFetched: false
        )
        cache.kept(arrival.place, size: arrival.size)
        queue(session, in: &cache)
        headSessions.insert(index, hash: arrival.head.dot.hashValue)
        amounts.add(KeptAmount(heads: 1, bytes: arrival.size), of: writer)
        sum(arrival.head, session, adding: true)
        if keys.canRead {
            show(arrival.items, arrival.head, index, using: crypto)
            report.isShown = true
            reorder(session, from: linesBefore)
        }
        number(session, position, until: terms.ticket)
        markChanged(session, in: &report)
        return report
    }

    /// Whether only the session and sums change if the arrival replaces its only head.
    private func isUsual(_ arrival: Arrival, in index: Int) -> Bool {
        sessions[index].heads.count == 1 && !sessions[index].heads[0].isLost
            && sessions[index].heads[0].blobs.isEmpty && arrival.header.blobs.isEmpty
            && arrival.size
                <= max(sessions[index].heads[0].size, Limits.sessionBytes)
            && !isPresent(arrival.head.dot.origin)
    }

    /// The number of the author's device among the writers; nil without a stored envelope.
    private func writer(of arrival: Arrival, in index: Int) -> Int32? {
        let origin = arrival.head.dot.origin
        var writer = sessions[index].heads[0].writer
        if sessions[index].heads[0].dot.origin != origin {
            writer = origins.writer(of: origin)
        }
        return writer == OriginState.noWriter ? nil : writer
    }

    /// Takes the only head of a session out of all indices and sums.
    private mutating func drop(_ old: Head, _ index: Int, from cache: inout EnvelopeCache) {
        headSessions.remove(index, hash: old.dot.hashValue)
        roles.sides.remove(old.dot, of: Int32(index))
        sum(old, Int32(index), adding: false)
        amounts.subtract(sessions[index].heads[0].kept, of: sessions[index].heads[0].writer)
        let place = sessions[index].heads[0].place
        cache.dropped(place, size: sessions[index].heads[0].size)
    }
}
