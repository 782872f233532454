extension NodeMachine {
    /// What became of an attempt to send the next part of a feed as others send it.
    enum RunPassed {
        /// All of it was sent, or the peer has it.
        case passed
        /// It has to wait for room.
        case waits
        /// Up to this position the peer needs a look at each session.
        case differs(until: UInt64)
    }

    /// Sends the next part of the feed of a conversation, encoded once for all links that have come
    /// just as far: what a relay does most.
    ///
    /// The same is sent as session by session, in the same order: what `isPushed`, `canSend` and
    /// `pass` ask of each head is asked here of all at once.
    mutating func passRun(
        besides gaps: FeedGaps,
        slot: Int,
        _ share: Int,
        on index: Int
    ) -> RunPassed {
        guard !links[index].outbox.isAwaitingRoom else { return .waits }
        let start = links[index].shares[share].outgoing.sent
        guard links[index].shares[share].outgoing.replayEnd <= start,
            links[index].shares[share].outgoing.begun == nil
        else { return .differs(until: start + 1) }
        let key = EncodedRun.Key(
            slot: slot,
            number: links[index].shares[share].ownNumber,
            start: start
        )
        // Taken out, so that it has one owner.
        var run = turn.runs.removeValue(forKey: key) ?? encodedRun(key)
        defer { turn.runs[key] = run }
        guard run.count > 0 else { return .differs(until: start + 1) }
        let link = links[index].id
        if run.knownToSome.contains(link) {
            guard run.knownToAll.contains(link) else { return .differs(until: run.end) }
            links[index].shares[share].outgoing.passed(run.end)
            return .passed
        }
        guard !run.isCut(by: gaps), !links[index].shares[share].outgoing.awaitsWord(ofAny: run),
            !links[index].shares[share].incoming.isReplaying
                || run.origins.allSatisfy({ conversations[slot].isOwn($0, device: device) })
        else { return .differs(until: run.end) }
        let served = links[index].shares[share].outgoing.servedElsewhere
        let isServed = !served.isEmpty && run.origins.contains { served.contains($0) }
        guard !isServed, links[index].sendCredit.allowsEnvelope(run.creditBytes) else {
            return .differs(until: run.end)
        }
        let pending = links[index].outbox.pending
        guard pending == 0 || pending + run.frameBytes <= configuration.limits.outboxBytes else {
            links[index].outbox.isAwaitingRoom = true
            return .waits
        }
        tellDue(share, on: index, force: true)
        for origin in run.origins { introduce(origin, slot: slot, share, on: index) }
        links[index].outbox.append(shared: run.frames())
        figures.envelopesSent += UInt64(run.count)
        links[index].sendCredit.envelopesSent += UInt64(run.creditBytes)
        links[index].liveness.expectsAnswer(at: turn.now)
        links[index].shares[share].outgoing.pushed(run)
        links[index].shares[share].outgoing.passed(run.end)
        links[index].shares[share].outgoing.claims(run.end)
        return .passed
    }

    private func encodedRun(_ key: EncodedRun.Key) -> EncodedRun {
        // The room of an outbox, less what a turn puts in front.
        let room = configuration.limits.outboxBytes
        return EncodedRun(
            key,
            of: conversations[key.slot],
            committed: commits.committed,
            bytesMax: max(room - Limits.envelopeBytes - (16 << 10), room / 2)
        )
    }
}
