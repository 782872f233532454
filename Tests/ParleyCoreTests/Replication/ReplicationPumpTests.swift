import ParleyCore
import ParleyFaults
import Testing

/// A replication sends from a conversation until credit or the kernel makes it wait.
@Suite struct ReplicationPumpTests: ReplicationSuite {
    private var request: FeedRequest { .fromBeginning }

    // MARK: Sent envelopes

    @Test func nothingIsSentBeforeThePeerAsks() throws {
        var sample = SampleConversation(writers: [ada])
        sample.take([try ada.writes("s")])
        var replication = Replication(sample: peer)
        #expect(replication.sent(from: sample) == [])
    }

    @Test func whatIsNewIsPushedWithItsPosition() throws {
        var (sample, replication) = try live()
        sample.take([try ada.writes("new", 2)])
        let frames = replication.sent(from: sample)
        #expect(frames.pushed == [ada.dot(2)])
        #expect(frames.envelopes.map(\.position) == [2])
        #expect(frames.envelopes.map(\.hops) == [1])
        #expect(frames.envelopes.map(\.conversation) == [3])
        #expect(frames.introduced == [])
        #expect(replication.sent(from: sample) == [])
    }

    @Test func whatThisDeviceWroteBeforeTheLinkIsAnnouncedAndWhatItWritesNextIsPushed() throws {
        var sample = SampleConversation(writers: [ada])
        sample.take([try own.writes("mine")], from: nil)
        sample.take([try ada.writes("theirs")])
        var replication = Replication(sample: peer)
        try replication.begin(request, of: sample.conversation)
        let frames = replication.sent(from: sample)
        #expect(frames.pushed == [])
        #expect(frames.announced.map(\.dot) == [own.dot(1), ada.dot(1)])
        #expect(frames.announced.map(\.position) == [1, 2])
        sample.take([try own.writes("new", 2)], from: nil)
        #expect(replication.sent(from: sample).pushed == [own.dot(2)])
    }

    @Test func whatThisDeviceWroteIsAnnouncedOnceItIsOnDisk() throws {
        for other in [nil, ada] {
            var sample = SampleConversation(writers: [ada])
            if let other { sample.take([try other.writes("mine")]) }
            let before = Ticket(sample.ticket.value - 1)
            sample.take([try own.writes("mine")], from: nil)
            var replication = Replication(sample: peer)
            try replication.begin(request, of: sample.conversation)
            var early = Sender(sample: sample, committed: before)
            replication.pump(from: sample.conversation, into: &early)
            #expect(early.takeFrames() == [])
            let announced = replication.sent(from: sample).announced
            #expect(announced.map(\.dot.origin).contains(own.origin))
        }
    }

    /// The peer is asked once to confirm what somebody waits for, and not before it is sent.
    @Test func whatSomebodyWaitsForIsAskedForWhenItIsSent() throws {
        var (sample, replication) = try live()
        sample.take([try own.writes("mine")], from: nil)
        replication.asksToConfirm(2)
        var poor = Sender(sample: sample, credit: 0)
        replication.pump(from: sample.conversation, into: &poor)
        #expect(poor.takeFrames() == [])
        let frames = replication.sent(from: sample)
        #expect(frames.pushed == [own.dot(1)])
        #expect(frames.announced == [.watermark(position: 2)])
        #expect(replication.sent(from: sample) == [])
    }

    /// A position in a gap is asked for once the gap is on disk: a crash could set a session back.
    @Test func whatSomebodyWaitsForInAGapIsAskedForBehindIt() throws {
        var (sample, replication) = try live()
        let first = try ada.writes("moves", 2)
        let second = try ada.writes("moves", 3, revision: 2)
        sample.take([first])
        sample.take([try own.writes("mine")], from: nil)
        let moved = sample.ticket
        sample.take([second])
        replication.asksToConfirm(3)
        let size = try own.writes("mine").bytes.count + EnvelopeFrame.prefixBytes
        var poor = Sender(sample: sample, credit: UInt64(size))
        replication.pump(from: sample.conversation, into: &poor)
        let frames = poor.takeFrames()
        #expect(frames.pushed == [own.dot(1)])
        #expect(frames.announced == [])
        sample.conversation.committed(moved)
        replication.pump(from: sample.conversation, into: &poor)
        #expect(poor.takeFrames().announced == [.watermark(position: 3)])
    }

    /// A peer that has not asked for the feed yet is asked to confirm once it has.
    @Test func whatSomebodyWaitsForIsAskedForOnceTheFeedIsRequested() throws {
        var sample = SampleConversation(writers: [ada])
        _ = sample.conversation.begin(55)
        sample.take([try own.writes("mine")], from: nil)
        var replication = Replication(sample: peer)
        replication.asksToConfirm(1)
        #expect(replication.sent(from: sample) == [])
        try replication.begin(.fromBeginning, of: sample.conversation)
        let frames = replication.sent(from: sample)
        #expect(frames.announced.map(\.dot) == [own.dot(1)])
        #expect(frames.announced.map(\.isAwaited) == [true])
        #expect(replication.sent(from: sample) == [])
    }

    /// Peers of whoever had to ask for an envelope may be asking for it as well.
    @Test func whatThisNodeAskedForIsAnnouncedAndNotPushed() throws {
        var (sample, replication) = try live()
        let (asked, expected) = (try ada.writes("asked", 2), try ada.writes("expected", 3))
        _ = sample.conversation.wants.announced(sample.entry(asked), by: LinkID(8), at: .start)
        sample.conversation.wants.expected(
            sample.entry(expected),
            from: LinkID(8),
            announcedBy: LinkID(7),
            at: .start
        )
        sample.take([asked, expected])
        let frames = replication.sent(from: sample, at: .start + AnnouncementQueue.delay)
        #expect(frames.announced.map(\.dot) == [ada.dot(2)])
        #expect(frames.pushed == [ada.dot(3)])
    }

    /// The next audit brings the position, as nobody waits for its confirmation.
    @Test func whatThePeerHasIsNotSentBackAndIsClaimedLater() throws {
        var (sample, replication) = try live()
        sample.take([try ada.writes("new", 2)], from: peer)
        #expect(replication.sent(from: sample) == [])
        let later = Moment.start + .seconds(20)
        #expect(replication.sent(from: sample, at: later) == [])
        #expect(throws: ParleyCore.Refusal.overLimit("a feed position that was never sent")) {
            try replication.storedReceived(Stored(conversation: 0, position: 2, isFull: false))
        }
        #expect(replication.audit(of: sample.conversation)?.ownPosition == 2)
        #expect(
            try replication.storedReceived(Stored(conversation: 0, position: 2, isFull: false))
        )
    }

    /// A reserve announces after 0.7 s, unless the peer does so before; what is urgent takes
    /// along what waits.
    @Test func aReserveAnnouncesLate() throws {
        var (sample, replication) = try live()
        replication.announces(after: .reserveFirst, at: .start)
        replication.prune(ada.origin)
        sample.take([try ada.writes("new", 2)])
        #expect(replication.sent(from: sample) == [])
        #expect(replication.deadline == .start + .milliseconds(700))
        #expect(replication.sent(from: sample, at: .start + .milliseconds(699)) == [])
        let frames = replication.sent(from: sample, at: .start + .milliseconds(700))
        #expect(frames.announced.map(\.dot) == [ada.dot(2)])
        #expect(replication.deadline == nil)
        sample.take([try ada.writes("newer", 3), try ben.writes("urgent")])
        let next = replication.sent(from: sample, at: .start + .seconds(4))
        #expect(next.announced.map(\.dot) == [ada.dot(3)])
        #expect(next.pushed == [ben.dot(1)])
    }

    @Test func aReserveThatBecomesANeighbourAnnouncesSoon() throws {
        var (sample, replication) = try live()
        replication.announces(after: .reserveSecond, at: .start)
        replication.prune(ada.origin)
        sample.take([try ada.writes("new", 2)])
        #expect(replication.sent(from: sample) == [])
        replication.announces(after: .neighbourSecond, at: .start + .milliseconds(800))
        let soon = Moment.start + .milliseconds(950)
        #expect(replication.deadline == soon)
        #expect(replication.sent(from: sample, at: soon).announced.map(\.dot) == [ada.dot(2)])
    }

    @Test func whatThePeerAnnouncesInTheMeantimeIsNotAnnounced() throws {
        var (sample, replication) = try live()
        replication.prune(ada.origin)
        let new = try ada.writes("new", 2)
        sample.take([new])
        #expect(replication.sent(from: sample) == [])
        _ = try replication.announced(
            sample.entry(new),
            in: &sample.conversation,
            openLinks: [peer],
            at: .start
        )
        #expect(replication.sent(from: sample, at: .start + .seconds(1)) == [])
        #expect(replication.deadline == nil)
    }

    /// What was there when the peer asked is announced at once, and only what follows waits.
    @Test func theReplayIsNotAnnouncedLater() throws {
        var sample = SampleConversation(writers: [ada])
        sample.take([try ada.writes("old"), try ada.writes("last", 2)])
        var replication = Replication(sample: peer)
        try replication.begin(request, of: sample.conversation)
        replication.announces(after: .reserveFirst, at: .start)
        replication.prune(ada.origin)
        sample.take([try ada.writes("new", 3)])
        let frames = replication.sent(from: sample)
        #expect(frames.announced.map(\.dot) == [ada.dot(1), ada.dot(2)])
        #expect(replication.deadline == .start + .milliseconds(700))
    }

    /// Without credit nothing is sent, and nobody waits for what was to be announced.
    @Test func whatIsPushedAgainIsNoLongerAnnouncedLater() throws {
        var (sample, replication) = try live()
        replication.announces(after: .reserveFirst, at: .start)
        replication.prune(ada.origin)
        sample.take([try ada.writes("new", 2)])
        #expect(replication.sent(from: sample) == [])
        #expect(replication.deadline == .start + .milliseconds(700))
        let old = WantList(conversation: 0, entries: [sample.entry(try ada.writes("old"))])
        try replication.wantReceived(old, of: sample.conversation)
        var poor = Sender(sample: sample, credit: 0)
        replication.pump(from: sample.conversation, into: &poor)
        #expect(poor.takeFrames() == [])
        #expect(replication.deadline == nil)
        #expect(replication.sent(from: sample).pushed == [ada.dot(1), ada.dot(2)])
        // The delay stays.
        replication.prune(ada.origin)
        sample.take([try ada.writes("newer", 3)])
        #expect(replication.sent(from: sample) == [])
        #expect(replication.deadline == .start + .milliseconds(700))
    }

    @Test func whatCameFarIsAnnounced() throws {
        var (sample, replication) = try live()
        _ = sample.merge(try ada.writes("far", 2), hops: UInt8(Limits.hops))
        _ = sample.merge(try ada.writes("near", 3), hops: UInt8(Limits.hops) - 1)
        sample.writeAll()
        let frames = replication.sent(from: sample)
        #expect(frames.announced.map(\.dot) == [ada.dot(2)])
        #expect(frames.pushed == [ada.dot(3)])
    }

    @Test func anOriginThatThePeerGetsElsewhereIsAnnouncedUntilItAsks() throws {
        var (sample, replication) = try live()
        replication.prune(ada.origin)
        let second = try ada.writes("new", 2)
        sample.take([second, try ben.writes("other")])
        let later = Moment.start + AnnouncementQueue.delay
        let frames = replication.sent(from: sample, at: later)
        #expect(frames.pushed == [ben.dot(1)])
        #expect(frames.announced.map(\.dot) == [ada.dot(2)])
        let list = WantList(conversation: 0, entries: [sample.entry(second)])
        try replication.wantReceived(list, of: sample.conversation)
        sample.take([try ada.writes("newer", 3)])
        let answer = replication.sent(from: sample)
        #expect(answer.pushed == [ada.dot(2), ada.dot(3)])
        #expect(answer.envelopes.map(\.position) == [0, 4])
    }

    @Test func aPeerThatPushedInVainHearsSoAndGetsNoMoreOfTheOrigin() throws {
        var (sample, replication) = try live()
        let old = try ada.writes("old")
        replication.noteVainPush(of: sample.head(old), tag: ada.tag("old"))
        #expect(replication.sent(from: sample).announced == [sample.entry(old)])
        sample.take([try ada.writes("new", 2)])
        #expect(replication.sent(from: sample).pushed == [])
    }

    @Test func theHeadsOfAConflictCarryOnePosition() throws {
        var (sample, replication) = try live()
        sample.take([try ada.writes("s", 2), try ben.writes("s")])
        let frames = replication.sent(from: sample)
        #expect(Set(frames.pushed) == [ada.dot(2), ben.dot(1)])
        #expect(frames.envelopes.map(\.position) == [0, 3])
    }

    @Test func whatIsMissingHereIsAskedFor() throws {
        var (sample, replication) = try live()
        let entry = sample.entry(try ada.writes("missing", 8))
        _ = sample.conversation.wants.announced(entry, by: peer, at: .start)
        // On a silent link a round of holders may end with the one that it began with.
        for _ in 0..<2 { replication.ask(for: entry) }
        let frames = replication.sent(from: sample)
        #expect(frames == [.want(WantList(conversation: 3, entries: [entry]))])
        #expect(replication.sent(from: sample) == [])
    }

    /// Regression: a link that was silent asked for all that had arrived on others meanwhile.
    @Test func whatArrivedMeanwhileOrIsWantedOfAnotherIsNotAskedFor() throws {
        var (sample, replication) = try live()
        let entries = try (2...3).map { sample.entry(try ada.writes("missing \($0)", $0)) }
        for entry in entries {
            _ = sample.conversation.wants.announced(entry, by: peer, at: .start)
            replication.ask(for: entry)
        }
        sample.conversation.wants.settled(entries[0].name)
        _ = sample.conversation.wants.announced(entries[1], by: LinkID(8), at: .start)
        let next = sample.conversation.wants.overdue(at: .start + .seconds(1), news: [:])
        #expect(next.map(\.holder) == [LinkID(8)])
        #expect(replication.sent(from: sample) == [])
    }

    // MARK: Waiting envelopes

    @Test func envelopesWaitForCredit() throws {
        var (sample, replication) = try live()
        let envelope = try ada.writes("new", 2)
        sample.take([envelope])
        let needed = UInt64(envelope.bytes.count + EnvelopeFrame.prefixBytes)
        for (credit, pushed) in [(needed - 1, []), (needed, [ada.dot(2)])] {
            var sender = Sender(sample: sample, credit: credit)
            replication.pump(from: sample.conversation, into: &sender)
            #expect(sender.takeFrames().pushed == pushed)
            #expect(sender.outbox.takeExpectation() == (pushed.isEmpty ? .nothing : .answer))
        }
    }

    /// The peer renews credit that does not suffice for a segment, so nothing is sent singly.
    @Test func aSegmentWaitsForTheCreditOfAllOfIt() throws {
        var (sample, replication) = try live()
        let envelopes = [try ada.writes("new", 2), try ben.writes("newer")]
        sample.take(envelopes)
        let needed = envelopes.reduce(0) { $0 + $1.bytes.count + EnvelopeFrame.prefixBytes }
        for (credit, pushed) in [(needed - 1, []), (needed, [ada.dot(2), ben.dot(1)])] {
            var sender = Sender(sample: sample, credit: UInt64(credit))
            replication.pump(from: sample.conversation, into: &sender)
            #expect(sender.takeFrames().pushed == pushed)
        }
    }

    @Test func envelopesWaitForCapacity() throws {
        var (sample, replication) = try live()
        sample.take([try ada.writes("new", 2), try ben.writes("newer")])
        for pushed in [[], [ada.dot(2)], [ben.dot(1)], []] {
            // Appended bytes count until the kernel has taken them: one envelope fits.
            var sender = Sender(sample: sample, capacity: pushed.isEmpty ? 0 : 1)
            replication.pump(from: sample.conversation, into: &sender)
            #expect(sender.takeFrames().pushed == pushed)
        }
    }

    @Test func whatWasWrittenHereWaitsForTheDisk() throws {
        var (sample, replication) = try live()
        let ticket = sample.ticket
        sample.take([try own.writes("mine")], from: nil)
        var early = Sender(sample: sample, committed: Ticket(ticket.value - 1))
        replication.pump(from: sample.conversation, into: &early)
        #expect(early.takeFrames() == [])
        var late = Sender(sample: sample, committed: ticket)
        replication.pump(from: sample.conversation, into: &late)
        #expect(late.takeFrames().pushed == [own.dot(1)])
    }

    @Test func whatListsABlobWaitsUntilTheBlobIsOnDisk() throws {
        var (sample, replication) = try live()
        let blob = BlobReference(1)
        sample.take([try ada.writes("new", 2, blobs: [blob])])
        var early = Sender(sample: sample, unstoredBlobs: [blob.id])
        replication.pump(from: sample.conversation, into: &early)
        #expect(early.takeFrames() == [])
        #expect(replication.sent(from: sample).pushed == [ada.dot(2)])
    }

    @Test func aReplacementWaitsForTheConfirmationOfWhatItReplaces() throws {
        var (sample, replication) = try live()
        sample.take([try ada.writes("s", 2)])
        #expect(replication.sent(from: sample).pushed == [ada.dot(2)])
        sample.take([try ada.writes("s", 3, revision: 2)])
        sample.conversation.committed(sample.ticket)
        #expect(replication.sent(from: sample) == [])
        _ = try replication.storedReceived(Stored(conversation: 0, position: 2))
        #expect(replication.sent(from: sample).pushed == [ada.dot(3)])
    }

    @Test func aFullPeerGetsReplacementsWithoutConfirmation() throws {
        var (sample, replication) = try live()
        sample.take([try ada.writes("s", 2)])
        #expect(replication.sent(from: sample).pushed == [ada.dot(2)])
        sample.take([try ada.writes("s", 3, revision: 2)])
        _ = try replication.storedReceived(Stored(conversation: 0, position: 0, isFull: true))
        #expect(replication.sent(from: sample).pushed == [ada.dot(3)])
    }

    @Test func envelopesThatLeftMemoryAreReadBackFirst() throws {
        var (sample, replication) = try live()
        let envelope = try ada.writes("new", 2)
        sample.take([envelope])
        _ = sample.conversation.sessions.evict(1, committed: sample.ticket, from: &sample.cache)
        var sender = Sender(sample: sample)
        replication.pump(from: sample.conversation, into: &sender)
        #expect(sender.takeFrames() == [])
        #expect(sender.takeAwaitedRows() == [2])
        replication.pump(from: sample.conversation, into: &sender)
        #expect(sender.takeAwaitedRows() == [])
        let found: Few = [StoredHead(dot: ada.dot(2), envelope: envelope.bytes)]
        #expect(sample.conversation.sessions.restore(found, row: 2, in: &sample.cache)?.lost == 0)
        #expect(replication.sent(from: sample) == [])
        replication.loaded(row: 1)
        #expect(replication.sent(from: sample) == [])
        replication.loaded(row: 2)
        #expect(replication.sent(from: sample).pushed == [ada.dot(2)])
    }

    // MARK: Envelopes that are asked for by name

    @Test func whatWasReplacedIsNotFoundOnceTheReplacementIsOnDisk() throws {
        var (sample, replication) = try live()
        let old = sample.entry(try ada.writes("old"))
        sample.take([try ada.writes("old", 2, revision: 2)], from: peer)
        let notFound = HaveEntry.notFound(old.name)
        let list = WantList(conversation: 0, entries: [old])
        let later = Moment.start + .seconds(1)
        try replication.wantReceived(list, of: sample.conversation)
        #expect(replication.sent(from: sample, at: later).pushed == [])
        sample.conversation.committed(sample.ticket)
        try replication.wantReceived(list, of: sample.conversation)
        _ = replication.sent(from: sample, at: later)
        let announced = replication.sent(from: sample, at: later + .seconds(1)).announced
        #expect(announced.count { $0 == notFound } == 1)
    }

    @Test func whatTheStoreLostIsNotFound() throws {
        var (sample, replication) = try live()
        let old = sample.entry(try ada.writes("old"))
        _ = sample.conversation.sessions.evict(0, committed: sample.ticket, from: &sample.cache)
        #expect(sample.conversation.sessions.restore([], row: 1, in: &sample.cache)?.lost == 1)
        let list = WantList(conversation: 0, entries: [old])
        try replication.wantReceived(list, of: sample.conversation)
        #expect(replication.sent(from: sample).announced == [.notFound(old.name)])
    }
}
