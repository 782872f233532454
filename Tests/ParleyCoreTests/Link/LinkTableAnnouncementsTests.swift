import ParleyCore
import ParleyFaults
import Testing

/// How links share the memory for announced envelopes, and learn again what they had to forget.
@Suite struct LinkTableAnnouncementsTests {
    private let now = Moment.start + .seconds(3)

    /// Memory for 100 envelopes.
    private var limits: Limits {
        var limits = Limits()
        limits.announcedBytes = 100 * AnnouncedShares.entryBytes
        limits.links = 10
        return limits
    }

    /// A table of one conversation, and links of so many members.
    private func world(_ links: Int) throws -> (SampleTable, LinkTable) {
        let sample = SampleTable([1])
        let members = try (1...UInt64(links)).map { number in
            var link = Link(number, to: number + 1).greeted(sharing: [sample.table[0]])
            let request = FeedRequest(
                conversation: 0,
                since: .beginning,
                ownIncarnation: 7,
                ownPosition: 0
            )
            try link.replications[0].feedRequested(request, of: sample.table[0], at: .start)
            return link
        }
        return (sample, LinkTable(members))
    }

    /// The peer of a link announces envelopes of these sequences, each at its position.
    private func announce(
        _ sequences: ClosedRange<UInt64>,
        on link: Int,
        _ sample: inout SampleTable,
        _ table: inout LinkTable
    ) throws {
        let entries = sequences.map { HaveEntry($0, session: $0, position: $0) }
        try table.haveReceived(
            HaveList(conversation: 0, entries: entries),
            from: LinkTable.ReplicationIndex(link: link, replication: 0),
            of: 0,
            in: &sample.table,
            limits: limits,
            at: now
        )
    }

    /// The envelopes that are missing on each link.
    private func missing(_ table: LinkTable) -> [Int] {
        table.map { $0.replications[0].announcedBytes / IncomingFeed.missingBytes }
    }

    @Test func anInnocentLinkGetsItsShareFromTheLargest() throws {
        var (sample, table) = try world(3)
        try announce(1...90, on: 0, &sample, &table)
        #expect(missing(table) == [90, 0, 0])
        try announce(1_001...1_030, on: 1, &sample, &table)
        #expect(missing(table) == [70, 30, 0], "the newest of the largest are forgotten")
        try announce(2_001...2_003, on: 2, &sample, &table)
        #expect(missing(table) == [67, 30, 3])
        #expect(table.allSatisfy { $0.phase == .member })
        #expect(sample.table[0].wants.count == 100)
        // The first announcements of the largest link are still wanted.
        #expect(sample.table[0].wants.holders(of: HaveEntry(67).name) == [LinkID(1)])
        #expect(sample.table[0].wants.holders(of: HaveEntry(68).name) == [])
    }

    @Test func theExcessOfALinkDelaysThatLinkOnly() throws {
        var (sample, table) = try world(2)
        try announce(1...150, on: 0, &sample, &table)
        #expect(missing(table) == [100, 0])
        // Each announces more than there is memory for, and neither loses its share.
        for round in UInt64(1)...5 {
            try announce(1_000 * round...1_000 * round + 100, on: 1, &sample, &table)
            try announce(9_000 * round...9_000 * round + 100, on: 0, &sample, &table)
            let counts = missing(table)
            #expect(counts.reduce(0, +) == 100)
            #expect(counts.allSatisfy { $0 >= 25 })
        }
        #expect(table.allSatisfy { $0.phase == .member })
    }

    @Test func nothingBehindAForgottenEnvelopeIsConfirmed() throws {
        var (sample, table) = try world(1)
        try announce(1...120, on: 0, &sample, &table)
        for sequence in UInt64(1)...100 { arrive(sequence, &sample, &table) }
        #expect(table[0].replications[0].unsavedCursor?.position == 100)
        #expect(table[0].replications[0].isMissingAny)
        #expect(table[0].replications[0].audit(of: sample.table[0]) == nil)
    }

    @Test func aLinkStartsOverOnceAllElseIsHere() throws {
        var (sample, table) = try world(2)
        try announce(1...120, on: 0, &sample, &table)
        for sequence in UInt64(1)...99 { arrive(sequence, &sample, &table) }
        table.startOver(&sample.table, limits: limits, into: &sample.step)
        #expect(sample.step.effects.closes.isEmpty)
        arrive(100, &sample, &table)
        table.startOver(&sample.table, limits: limits, into: &sample.step)
        #expect(sample.step.effects.closes.map(\.link) == [LinkID(1)])
        #expect(table.map(\.phase) == [.closing, .member])
        guard case .said(let reason, _)? = sample.step.effects.closes.first?.cause else {
            Issue.record("the link ended without a goodbye")
            return
        }
        #expect(reason == .other)
    }

    private func arrive(
        _ sequence: UInt64,
        _ sample: inout SampleTable,
        _ table: inout LinkTable
    ) {
        let name = HaveEntry(sequence).name
        sample.table[0].wants.settled(name)
        table.settled([name], of: 1)
    }
}
