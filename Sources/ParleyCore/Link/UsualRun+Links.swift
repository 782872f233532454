extension RunTerms {
    /// What limits a run of envelopes that a peer pushed.
    init(
        of links: LinkTable,
        on replication: LinkTable.ReplicationIndex,
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
        from replication: LinkTable.ReplicationIndex,
        at now: Moment
    ) {
        links.figures.envelopesReceived += UInt64(count)
        links.figures.envelopeBytesReceived += UInt64(creditBytes)
        links[replication.link].received(self, at: now)
        // With the first and the last position, the others change nothing more.
        for position in [positions.lowerBound, positions.upperBound] {
            links[replication].received(position: position, urgency: .gathered)
        }
    }
}
