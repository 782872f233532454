/// Joins and leaves conversations, renews the epoch, and handles commits and stored sessions.
extension NodeMachine {
    /// Joins a conversation: proves membership on every link, and makes all addresses due.
    mutating func joined(_ record: ConversationRecord) {
        guard
            let index =
                conversations
                .join(record, epoch: epoch, tickets: commits, using: crypto, into: &step)
        else { return }
        begin(index)
        for index in links.indices where links[index].phase.mayShare {
            links[index].sendTags(of: conversations, using: crypto, random: &random)
            match(on: index)
        }
        dialer.joined(at: step.now)
    }

    /// Leaves a conversation: forgets everything about it, and closes its links.
    mutating func left(_ number: UInt32) {
        guard let listed = conversations.leave(number, tickets: commits, into: &step) else {
            return
        }
        members.left(number)
        blobs.unlist(listed, into: &step)
        commits.forget(number)
        for request in author.left(number) { answer(request, .unknownConversation) }
        // After joining again, sequences start anew, so new origins are needed.
        renewEpoch()
        links.all.left(number, into: &step)
    }

    /// Starts an incarnation of the feed and reserves the first own sequences.
    mutating func begin(_ index: Int) {
        conversations.begin(index, incarnation: random.next(), into: &step)
        conversations.reserveSequences(of: index, tickets: &commits, into: &step)
    }

    /// Begins a new epoch: this node writes under new origins, so that no dot is used twice.
    mutating func renewEpoch() {
        identity.epoch = Epoch(random.next())
        step.writes.append(.epoch(epoch))
        conversations.renew(epoch: epoch, using: crypto)
    }

    // MARK: Store

    /// A commit is on disk: releases everything that waited for it.
    mutating func committed(_ ticket: Ticket) {
        let done = commits.done(ticket)
        step.effects.deliveries += done.deliveries
        conversations.committed(ticket, done)
        for blob in blobs.committed(ticket) { step.effects.reads.append(.blob(blob)) }
        members.answerKnocks(through: ticket, &links, &step)
        author.commitsChanged()
    }

    /// Commits fail, or work again.
    ///
    /// When commits work again, links with held positions are closed, so that their feeds start
    /// over. While commits fail, waiting requests are refused with `storeFull`.
    mutating func storeBlocked(_ isBlocked: Bool) {
        commits.isBlocked = isBlocked
        author.commitsChanged()
        if !isBlocked { links.all.closeHeld(into: &step) { _ in true } }
    }

    /// Adds a session from the data directory; call it for all sessions before `start`.
    ///
    /// Damage is reported, and peers send the missing envelopes again.
    package mutating func recover(_ row: SessionRow) {
        let report = conversations.recover(row, using: crypto)
        if let damage = report.damage { step.deliver(.damaged(row: row.row, damage.text)) }
        for blob in report.listed { blobs.list(blob, conversation: row.conversation) }
    }
}
