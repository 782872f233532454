import ParleyCore
import ParleyFaults
import Testing

extension Replication {
    /// A replication of the sample conversation, which has the number 3 in frames of this side.
    init(sample link: LinkID, cursor: FeedCursor = .beginning) {
        self.init(conversation: 1, ownNumber: 3, peerNumber: 4, link: link, cursor: cursor)
    }

    /// A conversation with one session of the first writer that was there before the link, and a
    /// replication whose peer got its announcement.
    static func live(
        writers: [SimulatedAuthor],
        peer: LinkID
    ) throws -> (SampleConversation, Replication) {
        let author = try #require(writers.first)
        var sample = SampleConversation(writers: writers)
        _ = sample.conversation.begin(55)
        sample.take([try author.writes("old")])
        var replication = Replication(sample: peer)
        try replication.begin(.fromBeginning, of: sample.conversation)
        let frames = replication.sent(from: sample)
        #expect(frames.announced.map(\.dot) == [author.dot(1)])
        #expect(frames.pushed == [])
        #expect(frames.introduced == [author.record])
        return (sample, replication)
    }

    /// Sends this side's `feed`, and takes that of the peer.
    mutating func begin(
        _ request: FeedRequest,
        of conversation: Conversation,
        at now: Moment = .start
    ) throws {
        _ = feedRequest(of: conversation)
        try feedRequested(request, of: conversation, at: now)
    }

    /// The frames that `pump` sends with credit and capacity for all, and everything on disk.
    mutating func sent(from sample: SampleConversation, at now: Moment = .start) -> [Frame] {
        var sender = Sender(sample: sample, at: now)
        sender.namesLeft = .max
        pump(from: sample.conversation, into: &sender)
        return sender.takeFrames()
    }

    /// The peer pushed an envelope that is here.
    mutating func noteVainPush(of head: Head, tag: SessionTag) {
        var credit = SendCredit(names: 1)
        pushedInVain(head, tag: tag, credit: &credit, at: .start)
    }

    /// The peer sends sums for `names` of whose heads there is credit.
    ///
    /// - Returns: how many buckets are being repaired.
    mutating func compare(
        _ audit: Audit,
        with sample: SampleConversation,
        names: UInt64 = 99
    ) throws -> Int {
        var credit = SendCredit(names: names)
        let result = try auditReceived(
            audit,
            of: sample.conversation,
            credit: &credit,
            at: .start
        )
        guard case .repaired(let buckets) = result else { return 0 }
        return buckets
    }
}

extension SendCredit {
    /// Credit for announcements.
    init(names: UInt64) {
        self.init()
        // Credit that is the first one does not decrease.
        try? granted(Credit(envelopeBytes: 0, blobBytes: 0, names: names))
    }
}

/// A suite with two other writers, and with a replication to the peer of one link.
protocol ReplicationSuite {}

extension ReplicationSuite {
    var ada: SimulatedAuthor { SimulatedAuthor(writer: 2) }
    var ben: SimulatedAuthor { SimulatedAuthor(writer: 3) }
    var own: SimulatedAuthor { SampleConversation.own }
    var peer: LinkID { LinkID(9) }

    /// A conversation with one session of Ada that was there before the link, and a replication
    /// whose peer got its announcement.
    func live() throws -> (SampleConversation, Replication) {
        try Replication.live(writers: [ada, ben], peer: peer)
    }
}

extension FeedRequest {
    /// A peer with nothing of the conversation asks for the feed.
    static let fromBeginning = FeedRequest(
        conversation: 0,
        since: .beginning,
        ownIncarnation: 7,
        ownPosition: 0
    )
}

extension Sender {
    /// A sender whose peer takes `credit` bytes of envelopes, `capacity` of them at a time.
    init(
        sample: SampleConversation,
        at now: Moment = .start,
        committed: Ticket? = nil,
        unstoredBlobs: [BlobID] = [],
        credit: UInt64 = 1 << 30,
        capacity: Int = Outbox.bytesMax
    ) {
        self.init(
            now: now,
            committed: committed ?? sample.ticket,
            unstoredBlobs: unstoredBlobs
        )
        outbox = Outbox(capacity: capacity)
        outbox.credit.envelopeLimit = credit
    }

    /// The frames that were sent since this was asked last.
    mutating func takeFrames() -> [Frame] { outbox.takeFrames() }
}

extension [Frame] {
    /// The entries that were announced.
    var announced: [HaveEntry] {
        flatMap { frame -> [HaveEntry] in
            if case .have(let list) = frame { list.entries } else { [] }
        }
    }

    /// The envelopes that were pushed, as their dots.
    var pushed: [Dot] { envelopes.compactMap { try? Envelope(decoding: $0.envelope).header.dot } }

    var envelopes: [EnvelopeFrame] {
        compactMap { frame in
            if case .envelope(let envelope) = frame { envelope } else { nil }
        }
    }

    /// The origins that were introduced.
    var introduced: [OriginRecord] {
        compactMap { frame in
            if case .origin(let origin) = frame { origin.record } else { nil }
        }
    }
}
