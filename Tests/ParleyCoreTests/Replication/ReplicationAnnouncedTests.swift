import ParleyCore
import ParleyFaults
import Testing

/// A replication judges each envelope that the peer announces.
@Suite struct ReplicationAnnouncedTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)
    private let now = Moment.start + .seconds(3)
    private let link = LinkID(9)

    /// A session "s" whose first message Ben replaced.
    private func sample() throws -> SampleConversation {
        var sample = SampleConversation(writers: [ada, ben, SampleConversation.own])
        sample.take([
            try ada.writes("s"), try ben.writes("s", revision: 2, context: [ada.dot(1)]),
        ])
        return sample
    }

    /// A replication whose peer asked for the feed, when its own had come to position 5.
    private func replication(of sample: SampleConversation) throws -> Replication {
        var replication = Replication(sample: link)
        let request = FeedRequest(
            conversation: 0,
            since: .beginning,
            ownIncarnation: 7,
            ownPosition: 5
        )
        try replication.begin(request, of: sample.conversation)
        return replication
    }

    private func announce(
        _ entry: HaveEntry,
        to replication: inout Replication,
        in sample: inout SampleConversation
    ) throws -> Replication.Announced {
        try replication
            .announced(entry, in: &sample.conversation, openLinks: [link], at: now)
    }

    // MARK: Answers

    @Test func whatIsHereIsNotAskedFor() throws {
        var sample = try sample()
        var replication = try replication(of: sample)
        let head = try ben.writes("s", revision: 2, context: [ada.dot(1)])
        for entry in [
            sample.entry(head, position: 6), sample.entry(try ada.writes("s"), position: 6),
            .watermark(position: 6),
            .notFound(sample.name(try ada.writes("t", 2))),
        ] {
            #expect(try announce(entry, to: &replication, in: &sample) == .here)
        }
        replication.received(position: 6)
        #expect(replication.unsavedCursor?.position == 6, "nothing is missing")
    }

    @Test(arguments: [UInt64(5), 6, 0])
    func whatIsNotHereIsMissing(position: UInt64) throws {
        var sample = try sample()
        var replication = try replication(of: sample)
        let entry = sample.entry(try ada.writes("t", 2), position: position)
        let announced = try announce(entry, to: &replication, in: &sample)
        #expect(announced == .missing)
        replication.received(position: 6)
        #expect(replication.unsavedCursor == nil, "nothing behind it counts")
        // The want of another link ends with the last peer that has it.
        let isAsked = sample.conversation.wants.announced(entry, by: link, at: now)
        #expect(isAsked)
        let notFound = HaveEntry.notFound(entry.name)
        #expect(try announce(notFound, to: &replication, in: &sample) == .here)
        #expect(sample.conversation.wants.count == 0)
        #expect(replication.unsavedCursor?.position == 6)
    }

    // MARK: Pruning

    /// An author wrote two envelopes, and the peer announces the first or what replaced it.
    @Test(arguments: [
        Pruning(author: 3, announces: .head, isPruned: true),
        Pruning(author: 3, announces: .replaced, isPruned: false),
        Pruning(author: 3, announces: .another, isPruned: false),
        Pruning(author: 1, announces: .head, isPruned: false),
    ])
    func anAuthorThatThePeerHearsElsewhereIsNotPushed(_ pruning: Pruning) throws {
        var sample = try sample()
        let author = pruning.author == 1 ? SampleConversation.own : ben
        let head = try author.writes("t", 2, revision: 2)
        sample.take([try author.writes("t"), head], from: LinkID(8))
        var replication = try replication(of: sample)
        let envelope =
            switch pruning.announced {
            case .head: head
            case .replaced: try author.writes("t")
            case .another: try author.writes("v", 4)
            }
        _ = try announce(sample.entry(envelope), to: &replication, in: &sample)
        let knownTo = sample.conversation.session(author.tag("t"))?.heads.map(\.knownTo)
        #expect(knownTo == [[LinkID(8)] + (pruning.announced == .head ? [link] : [])])
        // The replay of the peer ends, and the feed goes on behind it.
        replication.received(position: 5)
        _ = replication.sent(from: sample)
        sample.take([try author.writes("u", 3)], from: LinkID(8))
        let pushed = replication.sent(from: sample).pushed
        #expect(pushed == (pruning.isPruned ? [] : [author.dot(3)]))
    }

    /// The announcements of an author by a peer, and whether it gets only announcements of that
    /// author then.
    struct Pruning: Sendable {
        enum Announcement { case head, replaced, another }

        let author: UInt64
        let announced: Announcement
        let isPruned: Bool

        init(author: UInt64, announces announced: Announcement, isPruned: Bool) {
            self.author = author
            self.announced = announced
            self.isPruned = isPruned
        }
    }
}
