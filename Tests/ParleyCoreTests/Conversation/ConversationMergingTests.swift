import ParleyCore
import ParleyFaults
import Testing

/// The answers of a conversation to envelopes that are merged into it.
@Suite struct ConversationMergingTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)
    private let cyd = SimulatedAuthor(writer: 4)

    private func sample(_ role: Capability.Role = .writer, limits: Limits = Limits())
        -> SampleConversation
    {
        SampleConversation(role: role, writers: [ada, ben, cyd], limits: limits)
    }

    @Test func aNewSessionTakesTheRowAndIsShown() throws {
        var sample = sample()
        var expected = MergeReport(.changed)
        expected.isShown = true
        expected.changedSession = 0
        #expect(sample.merge(try ada.writes("s")) == expected)
        #expect(sample.conversation.sessions.map(\.row) == [1])
        expected.changedSession = 1
        #expect(sample.merge(try ada.writes("t", 2)) == expected)
        #expect(sample.conversation.sessions.map(\.row) == [1, 2])
    }

    @Test func theFirstEnvelopeOfAnOriginReportsItsRecord() throws {
        var sample = SampleConversation(writers: [ada, ben], isStored: false)
        #expect(sample.merge(try ada.writes("s")).isFirstOfOrigin)
        #expect(!sample.merge(try ada.writes("s", 2, revision: 2)).isFirstOfOrigin)
        #expect(sample.merge(try ben.writes("t")).isFirstOfOrigin)
    }

    @Test func aRelayShowsNothing() throws {
        var sample = sample(.relay)
        let report = sample.merge(try ada.writes("s"))
        #expect(report.result == .changed)
        #expect(!report.isShown)
        #expect(sample.conversation.sessions.first?.shownLine == nil)
    }

    @Test func aHeadThatComesAgainIsKnownAndItsSenderHasIt() throws {
        var sample = sample()
        let envelope = try ada.writes("s")
        _ = sample.merge(envelope, from: LinkID(1))
        var report = MergeReport(.known)
        report.author = ada.device
        #expect(sample.merge(envelope, from: LinkID(2)) == report)
        let head = sample.conversation.sessions.first?.heads.first
        #expect(head?.knownTo == [LinkID(1), LinkID(2)])
        #expect(sample.conversation.feed.latest == 1)
    }

    @Test func aReplacementIsShownAndMovesInTheFeed() throws {
        var sample = sample()
        sample.take([try ada.writes("s"), try ada.writes("t", 2)])
        var expected = MergeReport(.changed)
        expected.isShown = true
        expected.changedSession = 0
        #expect(
            sample.merge(try ben.writes("s", revision: 2, context: [ada.dot(1)])) == expected
        )
        #expect(sample.conversation.position(of: ada.tag("s")) == 3)
        #expect(sample.conversation.isMoving(0))
        #expect(!sample.conversation.isMoving(1))
    }

    @Test func aRowIsReportedOnceUntilItIsWritten() throws {
        var sample = sample()
        #expect(sample.merge(try ada.writes("s")).changedSession == 0)
        #expect(sample.merge(try ada.writes("s", 2, revision: 2)).changedSession == nil)
        sample.writeAll()
        #expect(sample.merge(try ada.writes("s", 3, revision: 3)).changedSession == 0)
    }

    @Test func whatWasReplacedIsObsolete() throws {
        var sample = sample()
        let first = try ada.writes("s")
        sample.take([first, try ben.writes("s", revision: 2, context: [ada.dot(1)])])
        #expect(sample.merge(first) == MergeReport(.obsolete))
    }

    // MARK: Held

    @Test func aNewSessionIsHeldWhileTheStoreTakesNone() throws {
        var sample = sample()
        let first = try ada.writes("s")
        #expect(sample.merge(first, mayGrow: false) == MergeReport(.held))
        #expect(sample.conversation.sessionCount == 0)
        #expect(sample.merge(first).result == .changed)
        let second = try ada.writes("s", 2, revision: 2)
        #expect(sample.merge(second, mayGrow: false).result == .changed)
    }

    // MARK: Conflicts

    @Test func concurrentMessagesAreAConflictUntilOneReplacesBoth() throws {
        var sample = sample()
        _ = sample.merge(try ada.writes("s"))
        let higher = sample.merge(try ben.writes("s", revision: 2))
        #expect(higher.conflict == [ben.dot(1), ada.dot(1)])
        #expect(higher.isShown)
        let lower = sample.merge(try cyd.writes("s"))
        #expect(lower.conflict?.first == ben.dot(1))
        #expect(lower.conflict?.count == 3)
        #expect(!lower.isShown)
        let both = try ada.writes("s", 2, revision: 3, context: [ben.dot(1), cyd.dot(1)].sorted())
        let settled = sample.merge(both)
        #expect(settled.conflict == [ada.dot(2)])
        #expect(settled.isShown)
        let next = sample.merge(try ada.writes("s", 3, revision: 4))
        #expect(next.conflict == nil)
    }

    @Test(arguments: [true, false])
    func twoEnvelopesUnderOneDotAreAnEquivocation(isHigherLast: Bool) throws {
        var sample = sample()
        let envelopes = [try ada.writes("s", text: "one"), try ada.writes("s", text: "two")]
            .sorted { sample.head($0) < sample.head($1) }
        let (first, last) = isHigherLast ? (0, 1) : (1, 0)
        #expect(!sample.merge(envelopes[first]).isEquivocation)
        let report = sample.merge(envelopes[last], from: LinkID(2))
        #expect(report.isEquivocation)
        #expect(report.result == (isHigherLast ? .changed : .obsolete))
        #expect(!report.meetsCopy)
        let head = sample.conversation.sessions.first?.heads.first
        #expect(head?.knownTo == [LinkID(isHigherLast ? 2 : 1)])
    }

    @Test func theLowestOfTooManyHeadsIsDropped() throws {
        let writers = (2..<UInt64(2 + Limits.heads)).map { SimulatedAuthor(writer: $0) }
        let late = SimulatedAuthor(writer: 100)
        var sample = SampleConversation(writers: writers + [late])
        let blob = BlobReference(1)
        sample.take([try writers[0].writes("s", blobs: [blob])])
        for writer in writers.dropFirst() {
            _ = sample.merge(try writer.writes("s", revision: 2))
        }
        let tooLow = sample.merge(try late.writes("s"))
        // Of the two of revision 1, a hash decides which one is lower.
        if tooLow.result == .obsolete {
            #expect(tooLow.dropped == DroppedHead(dot: late.dot(1), blobs: []))
            let report = sample.merge(try late.writes("s", 2, revision: 3))
            #expect(report.dropped == DroppedHead(dot: writers[0].dot(1), blobs: [blob]))
            #expect(report.conflict?.count == Limits.heads)
        } else {
            #expect(tooLow.dropped == DroppedHead(dot: writers[0].dot(1), blobs: [blob]))
        }
        #expect(sample.conversation.sessions.references(to: blob.id) == [])
    }

    // MARK: Writers

    @Test func anEnvelopeOfThisDeviceThatItDidNotWriteMeetsACopy() throws {
        let own = SampleConversation.own
        var sample = sample()
        #expect(!sample.merge(try own.writes("s"), from: nil).meetsCopy)
        #expect(sample.merge(try own.writes("t", 2), from: LinkID(1)).meetsCopy)
        var reserved = self.sample()
        #expect(reserved.conversation.reserveSequences() != nil)
        reserved.conversation.reservationCommitted()
        #expect(reserved.conversation.ownSequences.take() == 1)
        #expect(!reserved.merge(try own.writes("s"), from: LinkID(1)).meetsCopy)
        let other = reserved.merge(try own.writes("s", text: "y"), from: LinkID(1))
        #expect(other.isEquivocation)
        #expect(other.meetsCopy)
    }

    @Test func whoWasNotNextIsOutOfTurn() throws {
        let first = try ada.writes("s", next: [ben.participant])
        let inTurn = try ben.writes("s", revision: 2, context: [ada.dot(1)])
        let outOfTurn = try cyd.writes("s", revision: 2, context: [ada.dot(1)])
        let concurrent = try cyd.writes("s", revision: 2)
        for (envelope, participant) in [
            (inTurn, nil), (outOfTurn, cyd.participant), (concurrent, nil),
        ] {
            var sample = sample()
            sample.take([first])
            #expect(sample.merge(envelope).outOfTurn == participant)
        }
    }

    @Test func blobsAreListedAsLongAsAHeadNamesThem() throws {
        let (one, two) = (BlobReference(1), BlobReference(2))
        var sample = sample()
        let first = sample.merge(try ada.writes("s", blobs: [one]))
        #expect(first.listed == [one])
        #expect(first.unlisted == [])
        let second = sample.merge(try ada.writes("s", 2, revision: 2, blobs: [two, one]))
        #expect(second.listed == [two, one])
        #expect(second.unlisted == [one])
        #expect(sample.conversation.sessions.references(to: one.id) == [one])
        let third = sample.merge(try ada.writes("s", 3, revision: 3))
        #expect(third.listed == [])
        #expect(third.unlisted == [two, one])
        #expect(sample.conversation.sessions.references(to: one.id) == [])
    }
}
