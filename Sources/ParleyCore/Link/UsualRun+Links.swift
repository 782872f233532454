extension RunTerms {
    /// The limits of a run of envelopes that a peer pushed.
    init(
        of links: LinkList,
        on replication: ReplicationIndex,
        until ticket: Ticket
    ) {
        self.init(
            link: links.openLinks[replication.link],
            ticket: ticket,
            position: links[replication].incoming.arrived,
            credit: links[replication.link].envelopeCreditLeft
        )
    }
}

extension UsualRun {
    /// Counts the run on the link that brought it.
    func count(
        in links: inout LinkTable,
        from replication: ReplicationIndex,
        at now: Moment
    ) {
        links.figures.envelopesReceived += UInt64(count)
        links.figures.envelopeBytesReceived += UInt64(creditBytes)
        links[replication.link].received(self, at: now)
        // The others change nothing more, as nothing is confirmed within a step.
        for position in [positions.lowerBound, positions.upperBound] {
            links[replication].received(position: position, urgency: .gathered)
        }
    }
}

extension LinkTable {
    /// Merges the next envelopes of a batch frame, as far as that is usual.
    ///
    /// - Returns: their origin, if its envelopes came on another link before.
    mutating func run(
        _ envelopes: inout FrameEnvelopes,
        _ shared: (replication: ReplicationIndex, conversation: Int),
        _ conversations: inout ConversationTable,
        _ commits: Commits,
        _ crypto: some Cryptography,
        _ step: inout Step
    ) -> OriginID? {
        let run = conversations.mergeRun(
            of: &envelopes,
            into: shared.conversation,
            RunTerms(of: all, on: shared.replication, until: commits.next),
            using: crypto
        )
        guard run.count > 0 else { return nil }
        run.count(in: &self, from: shared.replication, at: step.now)
        step.contentBytes += run.bytes
        return run.movedOrigin
    }
}
