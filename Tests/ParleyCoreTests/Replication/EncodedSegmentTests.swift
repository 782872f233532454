import ParleyCore
import ParleyFaults
import Testing

/// Part of a feed is encoded once for all links.
@Suite struct EncodedSegmentTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)

    private func sample() -> SampleConversation {
        SampleConversation(writers: [ada, ben])
    }

    private func key(after start: UInt64) -> EncodedSegment.Key {
        EncodedSegment.Key(conversation: 1, incarnation: 5, number: 3, start: start)
    }

    private func segment(
        of sample: SampleConversation,
        after start: UInt64 = 0,
        committed: Ticket? = nil,
        creditMax: Int = 1 << 20
    ) -> EncodedSegment {
        EncodedSegment(
            key(after: start),
            of: sample.conversation,
            committed: committed ?? sample.ticket,
            creditMax: creditMax
        )
    }

    @Test func framesAreThoseOfEachEnvelopeInOrder() throws {
        var sample = sample()
        let envelopes = [try ada.writes("s"), try ben.writes("t"), try ada.writes("u", 2)]
        sample.take(envelopes)
        var segment = segment(of: sample, after: 1)
        var expected: [UInt8] = []
        for (position, envelope) in [(UInt64(2), envelopes[1]), (3, envelopes[2])] {
            let frame = EnvelopeFrame(
                conversation: 3,
                hops: 1,
                position: position,
                envelope: envelope.bytes
            )
            Frame.envelope(frame).append(to: &expected)
        }
        #expect(segment.count == 2)
        #expect(segment.frames() == expected)
        #expect(segment.frames() == expected)
        #expect(segment.frameBytes == expected.count)
        #expect(segment.creditBytes == expected.count - 2 * FrameHeader.count)
        #expect(segment.end == 3)
        #expect(segment.origins == [ben.origin, ada.origin])
        #expect(segment.entries.map(\.session) == [1, 2])
    }

    @Test func aSegmentAtTheEndOfAFeedIsEmpty() throws {
        var sample = sample()
        sample.take([try ada.writes("s")])
        var segment = segment(of: sample, after: 1)
        #expect(segment.count == 0)
        #expect(segment.end == 1)
        #expect(segment.frames() == [])
    }

    @Test func theCreditLimitsASegment() throws {
        var sample = sample()
        let envelopes = [try ada.writes("s"), try ada.writes("t", 2), try ada.writes("u", 3)]
        sample.take(envelopes)
        let one = EnvelopeFrame.prefixBytes + envelopes[0].bytes.count
        let cases = [(one - 1, 0), (one, 1), (2 * one - 1, 1), (2 * one, 2), (1 << 20, 3)]
        for (creditMax, count) in cases {
            #expect(segment(of: sample, creditMax: creditMax).count == count)
        }
    }

    /// A position that needs a look at each session ends a segment in front of it.
    @Test(arguments: [
        "two heads", "a blob", "far", "not in memory", "lost", "not on disk", "fetched",
    ])
    func aSegmentEndsInFrontOf(_ what: String) throws {
        var sample = sample()
        sample.take([try ada.writes("s")])
        switch what {
        case "two heads": sample.take([try ada.writes("t", 2), try ben.writes("t")])
        case "a blob": sample.take([try ada.writes("t", 2, blobs: [BlobReference(1)])])
        case "fetched":
            let envelope = try ada.writes("t", 2)
            _ = sample.conversation.wants.announced(
                sample.entry(envelope),
                by: LinkID(8),
                at: .start
            )
            sample.take([envelope])
        case "far": _ = sample.merge(try ada.writes("t", 2), hops: UInt8(Limits.hops))
        case "not in memory", "lost":
            sample.take([try ada.writes("t", 2)])
            _ = sample.conversation.sessions.evict(1, committed: sample.ticket, from: &sample.cache)
            if what == "lost" {
                _ = sample.conversation.sessions.restore([], row: 2, in: &sample.cache)
            }
        default:
            _ = sample.merge(try SampleConversation.own.writes("t"), from: nil)
        }
        let committed = Ticket(sample.ticket.value - 1)
        let origins = segment(of: sample, committed: committed).entries.map(\.session)
        #expect(origins == [0])
        #expect(segment(of: sample, committed: committed).end == 1)
    }

    @Test func whatThisDeviceWroteIsInOnceItIsOnDisk() throws {
        var sample = sample()
        _ = sample.merge(try SampleConversation.own.writes("t"), from: nil)
        #expect(segment(of: sample, committed: Ticket(0)).count == 0)
        #expect(segment(of: sample, committed: Ticket(1)).count == 1)
    }

    @Test func linksThatHaveSomeGetAnnouncementsFromThoseThatHaveAll() throws {
        var sample = sample()
        let envelopes = [try ada.writes("s"), try ben.writes("t")]
        sample.take([envelopes[0]], from: LinkID(1))
        _ = sample.merge(envelopes[0], from: LinkID(2))
        #expect(segment(of: sample).knownToAll == [LinkID(1), LinkID(2)])
        #expect(segment(of: sample).knownToSome == [LinkID(1), LinkID(2)])
        sample.take([envelopes[1]], from: LinkID(2))
        _ = sample.merge(envelopes[1], from: LinkID(3))
        let segment = segment(of: sample)
        #expect(segment.knownToAll == [LinkID(2)])
        #expect(segment.knownToSome == [LinkID(1), LinkID(2), LinkID(3)])
    }

    @Test func aGapCutsASegmentThatHasAPositionInIt() throws {
        var sample = sample()
        sample.take([try ada.writes("s"), try ada.writes("t", 2), try ada.writes("u", 3)])
        let segment = segment(of: sample, after: 1)
        let cases: [(gaps: [Range<UInt64>], isCut: Bool)] = [
            ([], false), ([1..<2], false), ([3..<9], true), ([4..<9], false),
        ]
        for (gaps, isCut) in cases {
            #expect(segment.isCut(by: FeedGaps(gaps)) == isCut)
        }
    }
}
