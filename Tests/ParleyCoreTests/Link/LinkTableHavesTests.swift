import ParleyCore
import ParleyFaults
import Testing

/// A link table asks for envelopes that a peer announces.
@Suite struct LinkTableHavesTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)
    private let now = Moment.start + .seconds(3)
    private let first = ReplicationIndex(link: 0, replication: 0)

    /// The link of a device that shares the conversation; what it has up to position 5 is replay.
    private func member(
        _ number: UInt64,
        to device: UInt64,
        of conversation: Conversation
    ) throws -> Link {
        var link = Link(number, to: device).greeted(sharing: [conversation])
        let request = FeedRequest(
            conversation: 0,
            since: .beginning,
            ownIncarnation: 7,
            ownPosition: 5
        )
        try link.replications[0].feedRequested(request, of: conversation, at: .start)
        return link
    }

    private func list(_ entries: HaveEntry...) -> HaveList {
        HaveList(conversation: 0, entries: entries)
    }

    /// The entries that each link is asked for.
    private func wanted(_ table: inout LinkTable, of sample: SampleConversation) -> [[HaveEntry]] {
        table.indices.map { index in
            table[index].replications.indices.flatMap { replication in
                table[index].replications[replication].sent(from: sample).flatMap { frame in
                    if case .want(let list) = frame { list.entries } else { [HaveEntry]() }
                }
            }
        }
    }

    // MARK: Authors that push

    /// Ada wrote the envelope, and a peer announces it that got it from her.
    @Test(arguments: [
        Push("no link", nil, expects: .peer),
        Push("a member", .member, expects: .author),
        Push("a member of another conversation", .elsewhere, expects: .peer),
        Push("a silent member", .silent, expects: .peer),
        Push("an ending link", .ending, expects: .peer),
        Push("a link that greets", .greeting, expects: .peer),
        Push("a link that proves", .proving, expects: .peer),
    ])
    func anAuthorThatWillPushIsNotAsked(_ push: Push) throws {
        var sample = SampleConversation(writers: [ada])
        var table = LinkTable([try member(1, to: 4, of: sample.conversation)])
        if let link = try authorLink(push, of: sample.conversation) { _ = table.all.insert(link) }
        let entry = sample.entry(try ada.writes("s"), position: 6)
        try table.all.haveReceived(
            list(entry),
            from: first,
            in: &sample.conversation,
            at: now
        )
        #expect(wanted(&table, of: sample).first == (push.expected == .peer ? [entry] : []))
        #expect(sample.conversation.wants.holders(of: entry.name) == [LinkID(1)])
        // Only a link that brings news gets more time.
        let later = sample.conversation.wants.overdue(
            at: now + WantTable.patience,
            news: [LinkID(2): now + .milliseconds(1)]
        )
        #expect(later.map(\.holder) == (push.expected == .author ? [] : [LinkID(1)]))
    }

    private func authorLink(_ push: Push, of conversation: Conversation) throws -> Link? {
        switch push.link {
        case .member: try member(2, to: 2, of: conversation)
        case .elsewhere: Link(2).greeted(sharing: [SampleConversation.other(2)])
        case .silent: try member(2, to: 2, of: conversation).suspected(at: .start)
        case .ending: try member(2, to: 2, of: conversation).closing()
        case .greeting: Link(2)
        case .proving: Link(2).greeted()
        case nil: nil
        }
    }

    /// The link of an author, and who is expected to send an envelope that a peer announces.
    struct Push: Sendable, CustomTestStringConvertible {
        enum AuthorLink { case member, elsewhere, silent, ending, greeting, proving }
        enum Expected { case author, peer }

        let testDescription: String
        let link: AuthorLink?
        let expected: Expected

        init(_ name: String, _ link: AuthorLink?, expects expected: Expected) {
            testDescription = name
            self.link = link
            self.expected = expected
        }
    }

    @Test func anAuthorThatAnnouncesItsEnvelopeIsAsked() throws {
        var sample = SampleConversation(writers: [ada])
        var table = LinkTable([
            try member(1, to: 2, of: sample.conversation),
            try member(2, to: 2, of: sample.conversation),
        ])
        let known = sample.entry(try ada.writes("s"), position: 4)
        let unknown = sample.entry(try ben.writes("t"), position: 5)
        try table.all.haveReceived(
            list(known, unknown),
            from: first,
            in: &sample.conversation,
            at: now
        )
        #expect(wanted(&table, of: sample) == [[known, unknown], []])
    }

    /// Of a peer and the author, whoever announces an envelope first, one is asked.
    @Test(arguments: [[0, 1], [1, 0]])
    func ofTwoHoldersOneIsAsked(inOrder order: [Int]) throws {
        var sample = SampleConversation(writers: [ada])
        var table = LinkTable([
            try member(1, to: 4, of: sample.conversation),
            try member(2, to: 2, of: sample.conversation),
        ])
        let entry = sample.entry(try ada.writes("s"), position: 4)
        for link in order {
            try table.all.haveReceived(
                list(entry),
                from: ReplicationIndex(link: link, replication: 0),
                in: &sample.conversation,
                at: now
            )
        }
        #expect(wanted(&table, of: sample) == [[], [entry]], "the author is expected to have it")
        #expect(sample.conversation.wants.holders(of: entry.name).count == 2)
    }

    // MARK: Entries

    @Test func onePeerIsAskedAndTheNextOnesAreKept() throws {
        var sample = SampleConversation(writers: [ada])
        var table = LinkTable([
            try member(1, to: 4, of: sample.conversation),
            try member(2, to: 5, of: sample.conversation),
        ])
        let entry = sample.entry(try ada.writes("s"), position: 6)
        for link in [1, 0] {
            try table.all.haveReceived(
                list(entry),
                from: ReplicationIndex(link: link, replication: 0),
                in: &sample.conversation,
                at: now
            )
        }
        #expect(wanted(&table, of: sample) == [[], [entry]])
        #expect(sample.conversation.wants.holders(of: entry.name) == [LinkID(2), LinkID(1)])
    }

    @Test func positionsCountUpToTheFirstMissingEnvelope() throws {
        var sample = SampleConversation(writers: [ada])
        var table = LinkTable([try member(1, to: 4, of: sample.conversation)])
        let replaced = try ada.writes("s")
        let head = try ada.writes("s", 2, revision: 2)
        sample.take([replaced, head], from: LinkID(8))
        let missing = sample.entry(try ada.writes("t", 3), position: 9)
        try table.all.haveReceived(
            list(
                sample.entry(replaced, position: 6),
                sample.entry(head, position: 7),
                .watermark(position: 8),
                missing,
                .watermark(position: FeedCursor.positionEnd - 1)
            ),
            from: first,
            in: &sample.conversation,
            at: now
        )
        #expect(wanted(&table, of: sample) == [[missing]])
        #expect(table[0].replications[0].unsavedCursor?.position == 8)
        #expect(sample.conversation.view(0)?.heads.count == 1)
        // A peer that has it no more is asked no more.
        try table.all.haveReceived(
            list(.notFound(missing.name)),
            from: first,
            in: &sample.conversation,
            at: now
        )
        #expect(sample.conversation.wants.count == 0)
        let position = table[0].replications[0].unsavedCursor?.position
        #expect(position == FeedCursor.positionEnd - 1)
    }

    @Test func aPositionThatNobodyReachesIsRefused() throws {
        var sample = SampleConversation(writers: [ada])
        var table = LinkTable([try member(1, to: 4, of: sample.conversation)])
        let entry = sample.entry(try ada.writes("s"), position: FeedCursor.positionEnd)
        #expect(throws: ParleyCore.Refusal.overLimit("a feed position that nobody reaches")) {
            try table.all.haveReceived(
                list(.watermark(position: 6), entry),
                from: first,
                in: &sample.conversation,
                at: now
            )
        }
        #expect(table[0].replications[0].unsavedCursor?.position == 6)
        #expect(sample.conversation.wants.count == 0)
    }

    // MARK: Wants

    /// Two links announced an envelope, and the first of them was asked.
    @Test(arguments: [
        Overdue(after: 999, news: nil, asksNext: false),
        Overdue(after: 1_000, news: nil, asksNext: true),
        Overdue(after: 1_000, news: 500, asksNext: false),
        Overdue(after: 1_500, news: 500, asksNext: true),
    ])
    func theNextHolderIsAskedInTime(_ overdue: Overdue) throws {
        var conversations = SampleTable([1, 2], writers: [ada]).table
        var table = LinkTable([
            try member(1, to: 4, of: conversations[0]), try member(2, to: 5, of: conversations[0]),
        ])
        var sample = SampleConversation(writers: [ada])
        let entry = sample.entry(try ada.writes("s"))
        for link in [LinkID(1), LinkID(2)] {
            _ = conversations[0].wants.announced(entry, by: link, at: now)
        }
        if let news = overdue.news {
            let other = try ada.writes("t", 2)
            table.all.merged(
                Arrival(envelope: other, head: sample.head(other), hops: 1, source: LinkID(1)),
                MergeReport(.changed),
                from: first,
                at: now + .milliseconds(news)
            )
        }
        table.all.askNextHolders(of: &conversations, at: now + .milliseconds(overdue.after))
        sample.conversation = conversations[0]
        #expect(wanted(&table, of: sample) == [[], overdue.asksNext ? [entry] : []])
    }

    /// When the next holder may be asked, in ms, and when the link of the first brought news.
    struct Overdue: Sendable {
        let after: Int64
        let news: Int64?
        let asksNext: Bool
    }

    @Test func onlyHoldersThatShareTheConversationAreAsked() throws {
        var sample = SampleConversation(writers: [ada])
        var table = LinkTable([
            try member(1, to: 4, of: sample.conversation),
            Link(2).greeted(sharing: [SampleConversation.other(2)]),
            Link(3).greeted(sharing: [SampleConversation.other(2), sample.conversation]),
        ])
        let entries = try (1...4).map { sample.entry(try ada.writes("s\($0)", $0)) }
        let holders = [3, 1, 2, 9].map { LinkID($0) }
        for (entry, holder) in zip(entries, holders) {
            _ = sample.conversation.wants.announced(entry, by: holder, at: now)
        }
        table.all.ask(zip(entries, holders).map { (entry: $0, holder: $1) }, of: 1)
        #expect(wanted(&table, of: sample) == [[entries[1]], [], [entries[0]]])
    }
}
