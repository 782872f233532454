import ParleyCore
import ParleyFaults
import Testing

/// Segments that were encoded in an earlier step.
@Suite struct SegmentCacheTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)

    private func key(_ conversation: UInt32 = 1, after start: UInt64) -> EncodedSegment.Key {
        EncodedSegment.Key(conversation: conversation, incarnation: 5, number: 3, start: start)
    }

    private func segment(
        _ key: EncodedSegment.Key,
        of sample: SampleConversation
    ) -> EncodedSegment {
        EncodedSegment(
            key,
            of: sample.conversation,
            committed: sample.ticket,
            creditMax: 1 << 20
        )
    }

    /// A conversation with enough messages for a segment that is kept.
    private func sample() throws -> SampleConversation {
        var sample = SampleConversation(writers: [ada, ben])
        for number in 1...40 {
            sample.take([try ada.writes("s\(number)", UInt64(number))])
        }
        return sample
    }

    @Test func aSegmentIsTakenWhileNothingInItChanged() throws {
        var sample = try sample()
        var cache = SegmentCache()
        var first = segment(key(after: 0), of: sample)
        let frames = first.frames()
        cache.put(first)
        sample.take([try ada.writes("later", 41)])
        let found = cache.take(key(after: 0), of: sample.conversation)
        var taken = try #require(found)
        #expect(taken.frames() == frames)
        #expect(taken.end == 40)
        #expect(cache.isEmpty, "a segment that is in use has one owner")
    }

    @Test(arguments: ["replaced", "in conflict", "known to a peer"])
    func aSegmentIsNotTakenAfterOneOfItsMessagesIs(_ what: String) throws {
        var sample = try sample()
        var cache = SegmentCache()
        cache.put(segment(key(after: 0), of: sample))
        switch what {
        case "replaced":
            sample.take([try ada.writes("s7", 41, revision: 2)])
        case "in conflict":
            sample.take([try ben.writes("s7")])
        default:
            _ = sample.merge(try ada.writes("s7", 7), from: LinkID(9))
        }
        let taken = cache.take(key(after: 0), of: sample.conversation)?.count
        #expect(taken == nil)
        #expect(cache.isEmpty)
    }

    @Test func anotherIncarnationHasOtherSegments() throws {
        let sample = try sample()
        var cache = SegmentCache()
        cache.put(segment(key(after: 0), of: sample))
        let other = EncodedSegment.Key(conversation: 1, incarnation: 6, number: 3, start: 0)
        let taken = cache.take(other, of: sample.conversation)?.count
        #expect(taken == nil)
    }

    @Test func aStepKeepsWhatSomeLinkHasYetToSend() throws {
        let sample = try sample()
        for (sent, isKept) in [(UInt64(0), true), (39, true), (40, false)] {
            var cache = SegmentCache()
            cache.put(segment(key(after: 0), of: sample))
            cache.endStep { _ in sent }
            #expect(!cache.isEmpty == isKept)
        }
    }

    @Test func aLinkThatHadToWaitSendsTheBytesOfTheOthers() throws {
        let peers = [LinkID(7), LinkID(8)]
        var (sample, fast) = try Replication.live(writers: [ada, ben], peer: peers[0])
        var slow = Replication(sample: peers[1])
        try slow.begin(.fromBeginning, of: sample.conversation)
        _ = slow.sent(from: sample)
        for number in 2...40 { sample.take([try ada.writes("s\(number)", UInt64(number))]) }
        var sender = Sender(sample: sample)
        fast.pump(from: sample.conversation, into: &sender)
        let bytes = sender.outbox.take()
        sender.segments.endStep { _ in slow.segmentsSent ?? 0 }

        sample.take([try ada.writes("s41", 41)])
        var later = Sender(sample: sample)
        later.segments = sender.segments
        slow.pump(from: sample.conversation, into: &later)
        let laterBytes = later.outbox.take()
        #expect(bytes.count == 1)
        #expect(laterBytes.first == bytes.first)
        #expect(laterBytes.count == 2)
    }

    @Test func shortSegmentsAreNotKept() throws {
        let sample = try sample()
        var cache = SegmentCache()
        cache.put(segment(key(after: 39), of: sample))
        cache.endStep { _ in 0 }
        #expect(cache.isEmpty)
    }

    @Test func theSegmentsThatAreKeptAreBounded() throws {
        let sample = try sample()
        let one = segment(key(after: 0), of: sample)
        let countMax = SegmentCache.bytesMax / one.frameBytes
        for (count, isKept) in [(countMax, true), (countMax + 1, false)] {
            var cache = SegmentCache()
            for number in 1...count {
                cache.put(segment(key(UInt32(number), after: 0), of: sample))
            }
            cache.endStep { _ in 0 }
            #expect(!cache.isEmpty == isKept)
        }
    }
}
