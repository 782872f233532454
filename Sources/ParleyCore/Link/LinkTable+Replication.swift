/// Replication across links, with what the table keeps besides the links.
extension LinkTable {
    /// Counts a member's envelope against its credit.
    package mutating func envelopeReceived(bytes: Int, on index: Int) throws(Refusal) {
        figures.envelopesReceived += 1
        figures.envelopeBytesReceived += UInt64(bytes)
        try self[index].envelopeReceived(bytes: bytes)
    }

    /// Compares stores with the peers if an audit is due and not paused, and plans the next.
    package mutating func audit(
        _ conversations: ConversationTable,
        isPaused: Bool,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        if audits.takeDue(at: now), !isPaused { all.startAudits(of: conversations) }
        if all.memberCount > 0 { audits.plan(at: now, random: &random) }
    }

    /// Compares a peer's sums with our own; reports a divergence, and announces heads to repair it.
    package mutating func auditReceived(
        _ audit: Audit,
        from replication: ReplicationIndex,
        of conversation: Conversation,
        into step: inout Step
    ) throws(Refusal) {
        let result =
            try self[replication.link]
            .auditReceived(
                audit,
                of: conversation,
                on: replication.replication,
                at: step.now
            )
        guard result != .level else { return }
        audits.differed(at: step.now)
        guard case .repaired(let buckets) = result else { return }
        let device = self[replication.link].device
        let number = conversation.number
        step.deliver(.divergence(conversation: number, device: device, buckets: buckets))
    }

    /// Sends a member the changes that it may take now.
    mutating func pump(
        _ index: Int,
        from conversations: ConversationTable,
        with sender: inout Sender
    ) {
        swap(&segments, &sender.segments)
        self[index].pump(from: conversations, with: &sender)
        swap(&segments, &sender.segments)
        figures.envelopesSent += UInt64(self[index].outbox.takeEnvelopesAppended())
    }

    /// Ends the sending of a step: forgets the segments that every link has sent.
    package mutating func endPump() {
        guard !segments.isEmpty else { return }
        var sent: [UInt32: UInt64] = [:]
        for index in indices where self[index].isLive { self[index].addSegmentsSent(to: &sent) }
        segments.endStep { sent[$0] ?? .max }
    }
}
