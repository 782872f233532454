import ParleyCore
import ParleyFaults
import Testing

/// How what peers announce stands to what is here.
@Suite struct ConversationHavesTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)

    /// A session "s" whose first message was replaced, and a session "t" with two heads.
    private func sample() throws -> SampleConversation {
        var sample = SampleConversation(writers: [ada, ben])
        sample.take([
            try ada.writes("s"), try ben.writes("s", revision: 2, context: [ada.dot(1)]),
            try ada.writes("t", 2), try ben.writes("t", 2),
        ])
        return sample
    }

    /// Whether an envelope is a head of its session.
    private func knows(_ envelope: Envelope, _ sample: SampleConversation) -> Bool {
        let session = sample.conversation.sessionNumbers[envelope.header.tag]
        return sample.conversation.knows(sample.head(envelope), in: session)
    }

    @Test func aHeadStandsAtItsIndices() throws {
        let sample = try sample()
        for (session, envelope) in [
            (0, try ben.writes("s", revision: 2, context: [ada.dot(1)])),
            (1, try ada.writes("t", 2)), (1, try ben.writes("t", 2)),
        ] {
            let heads = sample.conversation.sessions[session].heads
            let index = try #require(heads.firstIndex { $0.dot == envelope.header.dot })
            let standing = sample.conversation.standing(of: sample.entry(envelope))
            #expect(standing == .head(session: session, head: index))
            #expect(knows(envelope, sample))
        }
    }

    @Test func whatWasReplacedIsDominated() throws {
        let sample = try sample()
        let replaced = try ada.writes("s")
        #expect(sample.conversation.standing(of: sample.entry(replaced)) == .dominated)
        #expect(!knows(replaced, sample))
    }

    @Test func whatNoHeadDominatesIsMissing() throws {
        let sample = try sample()
        for envelope in [
            try ada.writes("u", 3),
            try ada.writes("s", 3, revision: 3, context: [ben.dot(1)]),
            try ada.writes("t", 2, text: "another under the same dot"),
        ] {
            #expect(sample.conversation.standing(of: sample.entry(envelope)) == .missing)
            #expect(!knows(envelope, sample))
        }
    }

    @Test func anEnvelopeSettlesTheWantsThatItAnswersOrDominates() throws {
        var sample = SampleConversation(writers: [ada, ben])
        let first = try ada.writes("s")
        let second = try ada.writes("s", 2, revision: 2)
        let concurrent = try ben.writes("s", revision: 3)
        for envelope in [first, second, concurrent] {
            let isAsked = sample.conversation.wants.announced(
                sample.entry(envelope),
                by: LinkID(1),
                at: .start
            )
            #expect(isAsked)
        }
        let settled = sample.merge(second).settled
        #expect(Set(settled) == [sample.head(first).name, sample.head(second).name])
        #expect(sample.conversation.wants.count == 1)
        #expect(sample.merge(try ada.writes("t", 3)).settled == [])
    }

    @Test func entriesAreOfTheBucketsAskedForAndNoMoreThanAskedFor() throws {
        let sample = try sample()
        let bucket = Int(ada.tag("t").bytes[0])
        let entries = sample.conversation.entries(inBuckets: [bucket], countMax: 10)
        #expect(Set(entries.map(\.dot)) == [ada.dot(2), ben.dot(2)])
        #expect(entries.allSatisfy { $0.position == 0 && $0.tag == ada.tag("t") })
        #expect(sample.conversation.entries(inBuckets: [bucket], countMax: 1).count == 1)
        #expect(sample.conversation.entries(inBuckets: [], countMax: 10) == [])
    }

    @Test func auditSumsAreThoseOfTheHeads() throws {
        let sample = try sample()
        var sums = [UInt64](repeating: 0, count: Audit.buckets)
        for envelope in [
            try ben.writes("s", revision: 2, context: [ada.dot(1)]),
            try ada.writes("t", 2), try ben.writes("t", 2),
        ] {
            sums[Int(envelope.header.tag.bytes[0])] &+= sample.head(envelope).digest.words.0
        }
        #expect(sample.conversation.auditSums == sums)
    }
}
