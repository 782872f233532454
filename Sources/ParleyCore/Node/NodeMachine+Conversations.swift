/// Joining and leaving conversations, and what of them is on disk.
extension NodeMachine {
    /// This node is in one more conversation: prove it on every link, and dial whoever is around.
    mutating func joined(_ record: ConversationRecord) {
        guard
            let index =
                conversations
                .join(record, epoch: epoch, tickets: commits, using: crypto, into: &step)
        else { return }
        begin(index)
        for index in links.indices where links[index].phase.mayShare {
            sendTags(on: index)
            match(on: index)
        }
        dialer.joined(at: step.now)
    }

    /// This node is in a conversation no more: forget all of it, and the links that carried it.
    mutating func left(_ number: UInt32) {
        guard let listed = conversations.leave(number, tickets: commits, into: &step) else {
            return
        }
        unlist(listed)
        commits.forget(number)
        for request in author.left(number) { answer(request, .unknownConversation) }
        // A node that joins again starts its sequences anew: under a new origin, no dot is used
        // twice.
        renewEpoch()
        // Also where it was not shared: the peer may join, and its tag would be an old number's.
        for index in links.indices where links[index].membership.ownNumber(of: number) != nil {
            links.close(index, saying: .left, into: &step)
        }
    }

    /// Starts an incarnation of the feed and reserves the first own sequences.
    mutating func begin(_ index: Int) {
        conversations.begin(index, incarnation: random.next(), into: &step)
        conversations.reserveSequences(of: index, tickets: &commits, into: &step)
    }

    /// Everything from now on is of a new origin, so that no dot is ever used twice.
    mutating func renewEpoch() {
        identity.epoch = Epoch(random.next())
        step.writes.append(.epoch(epoch))
        conversations.renew(epoch: epoch, using: crypto)
    }

    // MARK: Store

    /// What was written is on disk: say so, and go on with what waited.
    mutating func committed(_ ticket: Ticket) {
        let done = commits.done(ticket)
        step.effects.deliveries += done.deliveries
        conversations.committed(ticket, done)
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
        if !isBlocked { links.closeHeld(into: &step) }
    }

    /// Takes a session from the data directory; all of them before `start`.
    ///
    /// What cannot be read is reported, and asked of the peers again.
    package mutating func recover(_ row: SessionRow) {
        let report = conversations.recover(row, using: crypto)
        if let damage = report.damage { step.deliver(.damaged(row: row.row, damage.text)) }
        for blob in report.listed { blobs.list(blob, conversation: row.conversation) }
    }
}
