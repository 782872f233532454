extension Replication {
    /// The result of an attempt to send the next part of a feed as a shared segment.
    enum SegmentPassed {
        /// The segment was sent, or the peer has all of it.
        case passed
        /// The segment has to wait for capacity or credit.
        case waits
        /// Up to this position, each session has to be checked for this peer.
        case differs(until: UInt64)
    }

    /// The position up to which this link needs no segments; nil while the peer follows no feed.
    package var segmentsSent: UInt64? {
        outgoing.isRequested ? max(outgoing.sent, outgoing.replayEnd) : nil
    }

    /// Sends the next part of the feed as a segment, encoded once for all links at this position.
    ///
    /// The checks of all heads at once match the checks of each head in `isPushed`, `canSend` and
    /// `pass`, so the peer gets the same envelopes in the same order as session by session. There
    /// is one exception: a segment of an earlier step keeps an envelope whose row the store has
    /// lost since.
    mutating func passSegment(
        besides gaps: FeedGaps,
        of conversation: Conversation,
        into sender: inout Sender
    ) -> SegmentPassed {
        guard !sender.outbox.isAwaitingCapacity else { return .waits }
        let start = outgoing.sent
        guard outgoing.replayEnd <= start, outgoing.begun == nil else {
            return .differs(until: start + 1)
        }
        let key = EncodedSegment.Key(
            conversation: self.conversation,
            incarnation: conversation.presentIncarnation,
            number: ownNumber,
            start: start
        )
        var segment =
            sender.segments.take(key, of: conversation)
            ?? EncodedSegment(
                key,
                of: conversation,
                committed: sender.committed,
                creditMax: min(SendCredit.renewedMin, sender.outbox.capacity / 2)
            )
        guard segment.count > 0 else { return .differs(until: start + 1) }
        defer { sender.segments.put(segment) }
        if segment.knownToSome.contains(link) {
            guard segment.knownToAll.contains(link) else { return .differs(until: segment.end) }
            // As the author, this node waits for the peer's confirmation.
            if segment.origins.contains(where: { conversation.isOwn($0) }) {
                outgoing.awaits(segment.end)
            }
            outgoing.passed(segment.end)
            return .passed
        }
        guard !segment.isCut(by: gaps), !outgoing.awaitsConfirmation(ofAny: segment),
            !incoming.isReplaying || segment.origins.allSatisfy({ conversation.isOwn($0) })
        else { return .differs(until: segment.end) }
        let pruned = outgoing.pruned
        let isPruned = !pruned.isEmpty && segment.origins.contains { pruned.contains($0) }
        guard !isPruned else { return .differs(until: segment.end) }
        guard sender.outbox.credit.allowsEnvelope(segment.creditBytes) else { return .waits }
        let pending = sender.outbox.pending
        guard pending == 0 || pending + segment.frameBytes <= sender.outbox.capacity else {
            sender.outbox.isAwaitingCapacity = true
            return .waits
        }
        outgoing.sendHaves(into: &sender, force: true)
        for origin in segment.origins {
            outgoing.introduce(origin, of: conversation, into: &sender)
        }
        sender.outbox.append(shared: segment.frames())
        sender.outbox.appended(envelopes: segment.count, creditBytes: segment.creditBytes)
        outgoing.pushed(segment)
        outgoing.passed(segment.end)
        // A shared frame carries no request, so a watermark requests the confirmation for this
        // link.
        outgoing.claims(pushed: segment.end)
        return .passed
    }
}
