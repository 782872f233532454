extension NodeMachine {
    /// What was written is on disk: say so, and go on with what waited.
    mutating func committed(_ ticket: Ticket) {
        let done = commits.done(ticket)
        turn.effects.deliveries += done.deliveries
        for slot in conversations.indices { conversations[slot].moves.committed(ticket) }
        for number in done.reserved {
            guard let slot = conversationIndex(number) else { continue }
            conversations[slot].ownSequences.reservationCommitted()
        }
        for pending in done.cursors {
            guard let slot = conversationIndex(pending.conversation) else { continue }
            conversations[slot].cursors[pending.peer] = pending.cursor
        }
        for blob in blobs.committed(ticket) { turn.effects.reads.append(.blob(blob)) }
        turn.isAuthoringDue = true
    }

    /// Commits fail, or work again.
    ///
    /// Peers whose envelopes could not be taken start over; whose messages are not begun hear that
    /// there is no room.
    mutating func storeBlocked(_ isBlocked: Bool) {
        commits.isBlocked = isBlocked
        turn.isAuthoringDue = true
        guard !isBlocked else { return }
        for index in links.indices where links[index].shares.contains(where: \.incoming.isHeld) {
            close(index, saying: .other, text: "the store has room again")
        }
    }

    /// Tells peers how much of their feeds is on disk.
    mutating func confirm() {
        let done = commits.committed
        for index in links.indices {
            for share in links[index].shares.indices {
                links[index].shares[share].incoming.follows(commits.issued)
                let position = links[index].shares[share].incoming.committed(done)
                guard position != nil || links[index].shares[share].incoming.shouldSayFull else {
                    continue
                }
                let isHeld = links[index].shares[share].incoming.isHeld
                links[index].shares[share].incoming.hasSaidFull = isHeld
                let stored = Stored(
                    conversation: links[index].shares[share].ownNumber,
                    position: links[index].shares[share].incoming.stored,
                    isFull: isHeld
                )
                links[index].outbox.append(.stored(stored))
            }
        }
    }

    /// Writes how far the feeds of the peers are here, together with what came of them: at once if
    /// anything else is written or a link ends, else after a while.
    mutating func saveCursors() {
        let isWriting = !turn.writes.isEmpty || !turn.changedSessions.isEmpty
        let isClosing = links.areSomeClosing
        let isDue = isWriting || isClosing || cursorsDue.map { $0 <= turn.now } ?? false
        var waits = false
        for index in links.indices {
            for share in links[index].shares.indices {
                guard let cursor = links[index].shares[share].incoming.unsavedCursor,
                    let slot = conversationIndex(links[index].shares[share].conversation)
                else { continue }
                guard isDue else {
                    waits = true
                    continue
                }
                links[index].shares[share].incoming.saved = cursor.position
                commits.writes(
                    PendingCursor(
                        conversation: conversations[slot].number,
                        peer: links[index].device,
                        cursor: cursor
                    )
                )
                turn.writes.append(
                    .cursor(
                        conversation: conversations[slot].number,
                        peer: links[index].device,
                        cursor
                    )
                )
            }
        }
        cursorsDue = waits ? cursorsDue ?? turn.now + Self.cursorDelay : nil
    }
}
