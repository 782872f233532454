import ParleyCore
import ParleyFaults
import Testing

/// The notes of links about merged envelopes, about links that end, and about positions to save.
@Suite struct LinkTableMergedTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)
    private let now = Moment.start + .seconds(3)
    private let first = ReplicationIndex(link: 0, replication: 0)

    /// A member's link whose feed came to position 6 and announced `missing` at 5.
    private func member(
        _ number: UInt64,
        to device: UInt64,
        of conversation: Conversation,
        missing: [EnvelopeName] = []
    ) throws -> Link {
        var link = Link(number, to: device).greeted(sharing: [conversation])
        let request = FeedRequest(
            conversation: 0,
            since: .beginning,
            ownIncarnation: 7,
            ownPosition: 5
        )
        try link.replications[0].feedRequested(request, of: conversation, at: .start)
        link.replications[0].received(position: 5)
        for name in missing {
            link.replications[0].misses(name)
        }
        link.replications[0].received(position: 6)
        link.outbox.credit = SendCredit(names: 9)
        return link
    }

    private func unsaved(_ table: LinkTable) -> [UInt64?] {
        table.map { $0.replications.first?.unsavedCursor?.position }
    }

    // MARK: Merged envelopes

    /// Ada's device is at the other end of the link 1; the links 1 and 2 announced the envelope.
    @Test(arguments: [
        Merged(.changed, by: 2, isNews: true),
        Merged(.changed, by: 3, isNews: true),
        Merged(.obsolete, by: 3),
        Merged(.known, by: 2),
        Merged(.known, by: 3, isAnnounced: true),
        Merged(.known, by: 4),
        Merged(.held, by: 3, isHeld: [true, true, false]),
    ])
    func aMergedEnvelopeIsNotedOnItsLink(_ merged: Merged) throws {
        var sample = SampleConversation(writers: [ada, ben])
        let envelope = try SimulatedAuthor(writer: merged.author).writes("s")
        let name = sample.name(envelope)
        var table = LinkTable([
            try member(1, to: 2, of: sample.conversation),
            try member(2, to: 5, of: sample.conversation, missing: [name]),
            try member(3, to: 6, of: sample.conversation),
        ])
        let arrival = Arrival(
            envelope: envelope,
            head: sample.head(envelope),
            hops: 1,
            source: LinkID(1)
        )
        var report = MergeReport(merged.result)
        report.author = sample.conversation.origins[arrival.head.dot.origin]?.device
        table.all.merged(
            arrival,
            report,
            from: first,
            at: now
        )
        #expect(table.all.news == (merged.isNews ? [LinkID(1): now] : [:]))
        #expect(table.map { $0.replications[0].isHeld } == merged.isHeld)
        let announced = table.indices.map { index in
            table[index].replications[0]
                .sent(from: sample, at: now + AnnouncementQueue.delay).announced
        }
        #expect(announced == [merged.isAnnounced ? [sample.entry(envelope)] : [], [], []])
        // The sender need push no more of this author, and the others are not asked to stop.
        sample.take([try ben.writes("t", 2)], from: LinkID(8))
        let pushed = table.indices.map { index in
            table[index].replications[0].sent(from: sample).pushed.count
        }
        #expect(pushed == [merged.isAnnounced ? 0 : 1, 1, 1])
    }

    /// How an envelope of a writer was merged that came on the link 1.
    struct Merged: Sendable {
        let result: MergeReport.Result
        let author: UInt64
        let isNews: Bool
        let isAnnounced: Bool
        let isHeld: [Bool]

        init(
            _ result: MergeReport.Result,
            by author: UInt64,
            isNews: Bool = false,
            isAnnounced: Bool = false,
            isHeld: [Bool] = [false, false, false]
        ) {
            self.result = result
            self.author = author
            self.isNews = isNews
            self.isAnnounced = isAnnounced
            self.isHeld = isHeld
        }
    }

    @Test(arguments: [MergeReport.Result.changed, .known, .obsolete])
    func whatAnEnvelopeSettlesIsMissingNoMore(_ result: MergeReport.Result) throws {
        let sample = SampleConversation(writers: [ada, ben])
        let names = try (1...2).map { sample.name(try ben.writes("s\($0)", $0)) }
        var table = LinkTable([
            try member(1, to: 2, of: sample.conversation, missing: [names[0]]),
            try member(2, to: 5, of: sample.conversation, missing: names),
        ])
        #expect(unsaved(table) == [5, 5])
        let envelope = try ada.writes("s")
        var report = MergeReport(result)
        report.settled = [names[0]]
        table.all.merged(
            Arrival(envelope: envelope, head: sample.head(envelope), hops: 1, source: LinkID(1)),
            report,
            from: first,
            at: now
        )
        #expect(unsaved(table) == [6, 5])
    }

    // MARK: Credit

    @Test func envelopesBeyondTheCreditAreRefused() throws {
        var table = LinkTable([Link(1).greeted(), Link(2).greeted()])
        table[1].renewCredit(window: 1_000, names: 9)
        try table.envelopeReceived(bytes: 999, on: 1)
        try table.envelopeReceived(bytes: 1, on: 1)
        for index in [0, 1] {
            #expect(throws: ParleyCore.Refusal.overLimit("envelopes beyond the credit")) {
                try table.envelopeReceived(bytes: 1, on: index)
            }
        }
        #expect(table.figures.envelopesReceived == 4)
        #expect(table.figures.envelopeBytesReceived == 1_002)
    }

    // MARK: Links that end

    @Test func originsOfALinkThatEndedAreUnusedUnlessAnotherOneVouches() throws {
        let origins = (1...4).map { number in
            IntroducedOrigin(
                conversation: 1,
                id: SimulatedAuthor(writer: UInt64(number) + 1).origin
            )
        }
        var ended = Link(1)
        for origin in origins { try ended.introduces(origin) { _ in true } }
        var other = Link(2)
        try other.introduces(origins[1]) { _ in true }
        let table = LinkTable([other, Link(3)])
        let isUnused = { (origin: IntroducedOrigin) in origin != origins[2] }
        #expect(
            table.all.unusedOrigins(introducedBy: ended, isUnused: isUnused)
                == [origins[0], origins[3]]
        )
        #expect(table.all.unusedOrigins(introducedBy: ended) { _ in false } == [])
        #expect(table.all.unusedOrigins(introducedBy: other) { _ in true } == [])
    }

    // MARK: Cursors

    /// Positions came at 0; at each of some times, in seconds, whether they are saved.
    @Test(arguments: [
        Saving(.nothing, saved: [false, false, true, false]),
        Saving(.aWrite, saved: [true, false, false, false]),
        Saving(.aChangedSession, saved: [true, false, false, false]),
        Saving(.aLinkThatEnds, saved: [true, false, false, false]),
    ])
    func positionsAreSavedWithOtherWritesOrAfterAWhile(_ saving: Saving) throws {
        var sample = SampleTable([1], writers: [ada])
        var table = LinkTable([try member(1, to: 2, of: sample.table[0])])
        var saved: [Bool] = []
        for (number, seconds) in [0, 0.9, 1, 5].enumerated() {
            sample.step.now = .start + .milliseconds(Int64(seconds * 1_000))
            switch saving.company {
            case .aWrite where number == 0: sample.step.writes.append(.epoch(Epoch(1)))
            case .aChangedSession where number == 0: sample.merge(try ada.writes("s"))
            case .aLinkThatEnds where number == 0: _ = table.all.insert(Link(2).closing())
            case .nothing, .aWrite, .aChangedSession, .aLinkThatEnds: break
            }
            table.all.saveCursors(of: sample.table, tickets: &sample.tickets, into: &sample.step)
            let cursor = StoreWrite.cursor(
                conversation: 1,
                peer: ada.device,
                FeedCursor(incarnation: 7, position: 6)
            )
            saved.append(sample.endStep().contains(cursor))
        }
        #expect(saved == saving.saved)
        #expect(!table.all.haveUnsavedCursors)
    }

    /// Regression: each commit of a single message had a page more for the cursor.
    ///
    /// Something is written at each of some times in milliseconds but the last two, and each time
    /// the peer's feed has come one position further.
    @Test func positionsGoAlongWithWritesFromTimeToTime() throws {
        var sample = SampleTable([1], writers: [ada])
        var table = LinkTable([try member(1, to: 2, of: sample.table[0])])
        let feed = ReplicationIndex(link: 0, replication: 0)
        var saved: [UInt64?] = []
        for (number, milliseconds) in [0, 50, 150, 200, 1_199, 1_200].enumerated() {
            sample.step.now = Moment(milliseconds: Int64(milliseconds))
            if number < 4 {
                table[feed].received(position: 7 + UInt64(number))
                sample.step.writes.append(.epoch(Epoch(1)))
            }
            table.all.saveCursors(of: sample.table, tickets: &sample.tickets, into: &sample.step)
            let positions = sample.endStep().compactMap { write in
                if case .cursor(_, _, let cursor) = write { cursor.position } else { nil }
            }
            saved.append(positions.first)
        }
        #expect(saved == [7, nil, 9, nil, nil, 10])
    }

    /// The write that accompanies a position.
    struct Saving: Sendable {
        enum Company { case nothing, aWrite, aChangedSession, aLinkThatEnds }

        let company: Company
        let saved: [Bool]

        init(_ company: Company, saved: [Bool]) {
            self.company = company
            self.saved = saved
        }
    }
}
