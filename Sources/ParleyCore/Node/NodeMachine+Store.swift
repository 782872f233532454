/// What is written, what was written, and what is read back.
extension NodeMachine {
    /// What was written is on disk: say so, and go on with what waited.
    mutating func committed(_ ticket: Ticket) {
        let done = commits.done(ticket)
        step.effects.deliveries += done.deliveries
        for index in conversations.indices { conversations[index].moves.committed(ticket) }
        for number in done.reserved {
            guard let index = conversationIndex(number) else { continue }
            conversations[index].ownSequences.reservationCommitted()
        }
        for pending in done.cursors {
            guard let index = conversationIndex(pending.conversation) else { continue }
            conversations[index].cursors[pending.peer] = pending.cursor
        }
        for blob in blobs.committed(ticket) { step.effects.reads.append(.blob(blob)) }
        author.commitsChanged()
    }

    /// Commits fail, or work again.
    ///
    /// Peers whose envelopes could not be taken start over; requests that have not started fail
    /// with `storeFull`.
    mutating func storeBlocked(_ isBlocked: Bool) {
        commits.isBlocked = isBlocked
        author.commitsChanged()
        guard !isBlocked else { return }
        for index in links.indices where links[index].replications.contains(where: \.isHeld) {
            links.close(
                index,
                saying: .other,
                text: "the store has room again",
                into: &step
            )
        }
    }

    /// Makes the rows of what changed in this step, and lets old envelopes leave memory.
    mutating func writeSessions() {
        for (index, session) in step.changedSessions {
            let row = conversations[index].write(session, with: commits.next)
            step.writes.append(.session(row))
        }
        step.changedSessions = []
        while let (number, session) = cache.next() {
            guard let index = conversationIndex(number) else { continue }
            let isEvicted = conversations[index].evict(
                session,
                committed: commits.committed,
                from: &cache
            )
            guard isEvicted else {
                cache.queued(conversation: number, session: session)
                break
            }
        }
    }

    /// Envelopes that had left memory are here for a moment: the feeds that waited go on.
    mutating func loaded(row: Int64, heads: [StoredHead]) {
        cache.loaded(row: row)
        var envelopes: [Dot: Slice] = [:]
        for head in heads { envelopes[head.dot] = head.envelope }
        links.loaded(row: row)
        for index in conversations.indices {
            guard let lost = conversations[index].restore(envelopes, row: row, in: &cache) else {
                continue
            }
            for _ in 0..<lost { step.deliver(.damaged(row: row, "a head is not there any more")) }
            return
        }
    }

    /// Takes a session from the data directory; all of them before `start`.
    ///
    /// What cannot be read is reported, and asked of the peers again.
    package mutating func recover(_ row: SessionRow) {
        guard row.row > 0, row.row < Int64.max / 2 else {
            step.deliver(.damaged(row: row.row, RowDamage.numberOutOfRange.text))
            return
        }
        cache.found(row: row.row)
        guard let index = conversationIndex(row.conversation) else {
            step.deliver(.damaged(row: row.row, RowDamage.conversationUnknown.text))
            return
        }
        let report = conversations[index].recover(row, into: &cache, using: crypto)
        if let damage = report.damage { step.deliver(.damaged(row: row.row, damage.text)) }
        for blob in report.listed { blobs.list(blob, conversation: row.conversation) }
    }
}
