import ParleyCore
import ParleyFaults
import Testing

/// A replication answers the peer with values; nothing is sent here.
@Suite struct ReplicationTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let now = Moment.start

    /// A conversation in its incarnation 55, that an earlier one of number 54 left at position 0.
    private func sample(sessions: Int = 3) throws -> SampleConversation {
        var sample = SampleConversation(
            writers: [ada],
            incarnations: [FeedIncarnation(id: 54, start: 0)]
        )
        _ = sample.conversation.begin(55)
        sample.take(
            try (0..<sessions).map { try ada.writes("s\($0)", UInt64($0) + 1) },
            from: LinkID(1)
        )
        return sample
    }

    private func request(
        since: FeedCursor = .beginning,
        ownIncarnation: UInt64 = 7,
        ownPosition: UInt64 = 0
    ) -> FeedRequest {
        FeedRequest(
            conversation: 0,
            since: since,
            ownIncarnation: ownIncarnation,
            ownPosition: ownPosition
        )
    }

    /// A replication whose peer asked for the feed and was sent all of it.
    private func level(
        with sample: SampleConversation,
        cursor: FeedCursor = .beginning
    ) throws -> Replication {
        var replication = Replication(sample: LinkID(9), cursor: cursor)
        try replication.begin(request(), of: sample.conversation, at: now)
        _ = replication.sent(from: sample)
        return replication
    }

    // MARK: Feed

    @Test func theIncarnationOfThePeerIsKnownOnceItAsks() throws {
        var replication = Replication(sample: LinkID(9))
        #expect(replication.peerIncarnation == nil)
        let conversation = try sample().conversation
        try replication.begin(request(ownIncarnation: 8), of: conversation, at: now)
        #expect(replication.peerIncarnation == 8)
        #expect(throws: ParleyCore.Refusal.unexpected(FrameType.feed.rawValue)) {
            try replication.begin(request(), of: conversation, at: now)
        }
    }

    /// Where a feed goes on that the peer has up to a cursor.
    struct Resumption: Sendable, CustomTestStringConvertible {
        let name: String
        let since: FeedCursor
        /// The positions that are announced.
        let announced: [UInt64]

        init(_ name: String, incarnation: UInt64, _ position: UInt64, _ announced: [UInt64]) {
            self.name = name
            since = FeedCursor(incarnation: incarnation, position: position)
            self.announced = announced
        }

        var testDescription: String { name }
    }

    @Test(arguments: [
        Resumption("first contact", incarnation: 0, 0, [1, 2, 3]),
        Resumption("this incarnation", incarnation: 55, 2, [3]),
        Resumption("this incarnation, up to its end", incarnation: 55, 3, []),
        Resumption("this incarnation, beyond its end", incarnation: 55, 9, []),
        Resumption("the incarnation before", incarnation: 54, 0, [1, 2, 3]),
        Resumption("the incarnation before, beyond its end", incarnation: 54, 2, [1, 2, 3]),
        Resumption("an unknown incarnation", incarnation: 53, 2, [1, 2, 3]),
    ])
    func aFeedGoesOnAfterTheCursor(_ resumption: Resumption) throws {
        let sample = try sample()
        var replication = Replication(sample: LinkID(9))
        let request = request(since: resumption.since)
        try replication.begin(request, of: sample.conversation, at: now)
        #expect(replication.sent(from: sample).announced.map(\.position) == resumption.announced)
    }

    /// A peer that is level with an earlier incarnation hears where the present one is.
    @Test(arguments: [
        Resumption("the incarnation before", incarnation: 54, 4, [4]),
        Resumption("this incarnation", incarnation: 55, 4, []),
    ])
    func aLevelPeerOfAnotherIncarnationGetsAWatermark(_ resumption: Resumption) throws {
        var sample = SampleConversation(
            writers: [ada],
            incarnations: [FeedIncarnation(id: 54, start: 0), FeedIncarnation(id: 55, start: 4)]
        )
        let end = sample.conversation.feed.latest
        #expect(end == 4)
        sample.writeAll()
        var replication = Replication(sample: LinkID(9))
        let request = request(since: resumption.since)
        try replication.begin(request, of: sample.conversation, at: now)
        let announced = replication.sent(from: sample).announced
        #expect(announced == resumption.announced.map { HaveEntry.watermark(position: $0) })
    }

    // MARK: Stored

    @Test func positionsAreConfirmedUpToWhatWasClaimed() throws {
        var replication = try level(with: try sample())
        #expect(replication.storedByPeer == 0)
        #expect(try replication.storedReceived(Stored(conversation: 0, position: 2)) == true)
        #expect(try replication.storedReceived(Stored(conversation: 0, position: 2)) == false)
        #expect(try replication.storedReceived(Stored(conversation: 0, position: 1)) == false)
        #expect(replication.storedByPeer == 2)
        #expect(throws: ParleyCore.Refusal.overLimit("a feed position that was never sent")) {
            try replication.storedReceived(Stored(conversation: 0, position: 4))
        }
        #expect(replication.storedByPeer == 2)
    }

    @Test func aFullPeerIsNotAudited() throws {
        let sample = try sample()
        var replication = try level(with: sample)
        #expect(replication.audit(of: sample.conversation) != nil)
        _ = try replication.storedReceived(Stored(conversation: 0, position: 0, isFull: true))
        #expect(replication.audit(of: sample.conversation) == nil)
    }

    // MARK: Wants

    @Test func nobodyWantsMoreThanWasAnnounced() throws {
        let sample = try sample()
        var replication = try level(with: sample)
        let entry = sample.entry(try ada.writes("s0"))
        let list = { (count: Int) in
            WantList(conversation: 0, entries: Array(repeating: entry, count: count))
        }
        let countMax = OutgoingFeed.wantedMax
        try replication.wantReceived(list(countMax), of: sample.conversation)
        #expect(throws: ParleyCore.Refusal.overLimit("more wanted than was told")) {
            try replication.wantReceived(list(1), of: sample.conversation)
        }
    }

    // MARK: The part of the peer's feed that is here

    @Test func aPositionIsConfirmedOnceEverythingBeforeItIsOnDisk() throws {
        let sample = try sample()
        var replication = try level(with: sample)
        replication.received(position: 4)
        #expect(
            replication.confirmation(issued: Ticket(2), committed: Ticket(1), at: .start) == nil
        )
        let expected = Stored(conversation: 3, position: 4)
        #expect(
            replication.confirmation(issued: Ticket(2), committed: Ticket(2), at: .start)
                == expected
        )
        #expect(
            replication.confirmation(issued: Ticket(2), committed: Ticket(2), at: .start) == nil
        )
    }

    /// Positions that are awaited are confirmed at once, gathered ones together.
    @Test(arguments: [true, false])
    func gatheredPositionsAreConfirmedLater(isPrompt: Bool) throws {
        var replication = try level(with: try sample())
        for position in UInt64(4)...5 {
            replication.received(position: position, urgency: isPrompt ? .prompt : .gathered)
            let stored = replication.confirmation(
                issued: Ticket(position),
                committed: Ticket(position),
                at: now
            )
            #expect((stored != nil) == (isPrompt || position == 4))
        }
        #expect(replication.deadline == (isPrompt ? nil : now + Confirmations.gathering))
    }

    @Test func nothingBehindAMissingEnvelopeIsConfirmed() throws {
        let sample = try sample()
        let name = sample.name(try ada.writes("missing", 9))
        var replication = try level(with: sample)
        replication.received(position: 4)
        replication.misses(name)
        replication.received(position: 6)
        #expect(replication.unsavedCursor == FeedCursor(incarnation: 7, position: 4))
        #expect(
            replication.confirmation(issued: Ticket(1), committed: Ticket(1), at: .start)
                == Stored(conversation: 3, position: 4)
        )
        replication.settled(name)
        #expect(
            replication.confirmation(issued: Ticket(1), committed: Ticket(1), at: .start)
                == Stored(conversation: 3, position: 6)
        )
    }

    @Test func aCursorIsSavedOnce() throws {
        let sample = try sample()
        var replication = try level(with: sample, cursor: FeedCursor(incarnation: 7, position: 3))
        #expect(replication.unsavedCursor == nil)
        replication.received(position: 5)
        let cursor = FeedCursor(incarnation: 7, position: 5)
        #expect(replication.unsavedCursor == cursor)
        replication.saved(cursor)
        #expect(replication.unsavedCursor == nil)
    }

    @Test func aHeldFeedSaysSoOnceAndConfirmsNothingMore() throws {
        let sample = try sample()
        let name = sample.name(try ada.writes("missing", 9))
        var replication = try level(with: sample)
        replication.hold(ifMissing: name)
        #expect(!replication.isHeld)
        replication.misses(name)
        replication.hold(ifMissing: name)
        #expect(replication.isHeld)
        replication.settled(name)
        replication.received(position: 5)
        #expect(
            replication.confirmation(issued: Ticket(1), committed: Ticket(1), at: .start)
                == Stored(conversation: 3, position: 0, isFull: true)
        )
        #expect(
            replication.confirmation(issued: Ticket(2), committed: Ticket(2), at: .start) == nil
        )
        #expect(replication.unsavedCursor == nil)
    }

    // MARK: Audits

    @Test func levelSidesCompareTheirSums() throws {
        let sample = try sample()
        var replication = Replication(sample: LinkID(9))
        #expect(replication.audit(of: sample.conversation) == nil)
        try replication.begin(request(), of: sample.conversation, at: now)
        #expect(replication.audit(of: sample.conversation) == nil)
        _ = replication.sent(from: sample)
        replication.received(position: 2)
        let expected = Audit(
            conversation: 3,
            ownPosition: 3,
            peerPosition: 2,
            sums: sample.conversation.sessions.auditSums
        )
        #expect(replication.audit(of: sample.conversation) == expected)
    }

    @Test(arguments: ["missing", "held", "announced", "wanted", "behind"])
    func noAuditWhileSomethingIsOnItsWay(_ what: String) throws {
        var sample = try sample()
        var replication = try level(with: sample)
        let envelope = try ada.writes("s0")
        switch what {
        case "missing": replication.misses(sample.name(envelope))
        case "held": replication.hold()
        case "announced":
            replication.noteVainPush(of: sample.head(envelope), tag: ada.tag("s0"))
        case "wanted":
            let list = WantList(conversation: 0, entries: [sample.entry(envelope)])
            try replication.wantReceived(list, of: sample.conversation)
        default: sample.take([try ada.writes("more", 4)])
        }
        #expect(replication.audit(of: sample.conversation) == nil)
    }

    /// An audit brings the end of the peer's feed, as a watermark does, and nobody has to confirm
    /// it.
    @Test func anAuditBringsThePosition() throws {
        let sample = try sample()
        var replication = try level(with: sample)
        let sums = sample.conversation.sessions.auditSums
        let audit = Audit(conversation: 0, ownPosition: 5, peerPosition: 3, sums: sums)
        _ = try replication.compare(audit, with: sample)
        #expect(replication.unsavedCursor?.position == 5)
        #expect(
            replication.confirmation(issued: Ticket(1), committed: Ticket(1), at: .start) == nil
        )
        let earlier = Audit(conversation: 0, ownPosition: 4, peerPosition: 3, sums: sums)
        #expect(throws: ParleyCore.Refusal.contradictory("a feed position that descends")) {
            _ = try replication.compare(earlier, with: sample)
        }
    }

    @Test func whatDiffersTwiceIsAnnounced() throws {
        let sample = try sample()
        var replication = try level(with: sample)
        var sums = sample.conversation.sessions.auditSums
        let bucket = Int(ada.tag("s0").bytes[0])
        let equal = Audit(conversation: 0, ownPosition: 0, peerPosition: 3, sums: sums)
        sums[bucket] &+= 1
        let other = Audit(conversation: 0, ownPosition: 0, peerPosition: 3, sums: sums)
        let early = Audit(conversation: 0, ownPosition: 0, peerPosition: 2, sums: sums)
        for (audit, repaired) in [
            (equal, 0), (other, 0), (equal, 0), (other, 0), (early, 0), (other, 1),
        ] {
            let answer = try replication.compare(audit, with: sample)
            #expect(answer == repaired)
        }
        let announced = replication.sent(from: sample).announced
        var start = 0
        let all = sample.conversation.sessions.entries(
            inBuckets: [bucket],
            from: &start,
            countMax: 10
        )
        #expect(announced == all)
        #expect(!announced.isEmpty)
    }
}
