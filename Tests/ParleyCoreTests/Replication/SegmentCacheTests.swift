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

    @Test(arguments: ["replaced", "in conflict"])
    func aSegmentIsNotTakenAfterOneOfItsMessagesIs(_ what: String) throws {
        var sample = try sample()
        var cache = SegmentCache()
        cache.put(segment(key(after: 0), of: sample))
        let isReplaced = what == "replaced"
        sample.take([try isReplaced ? ada.writes("s7", 41, revision: 2) : ben.writes("s7")])
        let taken = cache.take(key(after: 0), of: sample.conversation)?.count
        #expect(taken == nil)
        #expect(cache.isEmpty)
    }

    /// How this node learns that another peer has a message.
    enum Learned: Sendable, CaseIterable {
        /// The peer sends it as well.
        case received
        /// The peer announces it.
        case announced
        /// The peer was remembered as a holder when the message came from somebody else.
        case held
    }

    @Test(arguments: Learned.allCases)
    func aSegmentIsNotTakenAfterMoreIsKnownOfItsPeers(_ learned: Learned) throws {
        var sample = try sample()
        let envelope = try ada.writes("s7", 7)
        let peer = LinkID(9)
        var cache = SegmentCache()
        cache.put(segment(key(after: 0), of: sample))
        switch learned {
        case .received: _ = sample.merge(envelope, from: peer)
        case .announced:
            var replication = Replication(sample: peer)
            let answer = try replication.announced(
                sample.entry(envelope),
                in: &sample.conversation,
                openLinks: [peer],
                at: .start
            )
            #expect(answer == .here)
        case .held:
            _ = sample.conversation.wants.announced(sample.entry(envelope), by: peer, at: .start)
            _ = sample.merge(envelope)
        }
        let taken = cache.take(key(after: 0), of: sample.conversation)?.count
        #expect(taken == nil)
        #expect(segment(key(after: 0), of: sample).knownToSome == [LinkID(1), peer])
    }

    @Test func aSegmentHasItsEnvelopesAfterTheyWereEvicted() throws {
        let sample = try sample()
        var first = segment(key(after: 0), of: sample)
        let frames = first.frames()
        // One of them was not used before.
        for isUsed in [true, false] {
            var cache = SegmentCache()
            cache.put(isUsed ? first : segment(key(after: 0), of: sample))
            var later = sample
            for session in 0..<40 {
                let isEvicted = later.conversation.sessions
                    .evict(Int32(session), committed: later.ticket, from: &later.cache)
                #expect(isEvicted)
            }
            #expect(segment(key(after: 0), of: later).count == 0)
            var taken = cache.take(key(after: 0), of: later.conversation)
            #expect(taken?.frames() == frames)
        }
    }

    @Test func anotherIncarnationHasOtherSegments() throws {
        let sample = try sample()
        var cache = SegmentCache()
        cache.put(segment(key(after: 0), of: sample))
        let other = EncodedSegment.Key(conversation: 1, incarnation: 6, number: 3, start: 0)
        let taken = cache.take(other, of: sample.conversation)?.count
        #expect(taken == nil)
    }

    /// A conversation that was left and joined again has the same number, and may have as many
    /// messages.
    @Test func aConversationThatWasJoinedAgainSendsItsOwnMessages() throws {
        var segments = SegmentCache()
        for (incarnation, text) in [(UInt64(5), "before"), (6, "after")] {
            var sample = SampleConversation(writers: [ada])
            _ = sample.conversation.begin(incarnation)
            var replication = Replication(sample: LinkID(9))
            try replication.begin(.fromBeginning, of: sample.conversation)
            let envelopes = try (1...40).map { try ada.writes("s\($0)", $0, text: text) }
            sample.take(envelopes)
            var sender = Sender(sample: sample)
            sender.segments = segments
            replication.pump(from: sample.conversation, into: &sender)
            #expect(sender.takeFrames().envelopes.map(\.envelope) == envelopes.map(\.bytes))
            segments = sender.segments
            #expect(!segments.isEmpty)
        }
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
