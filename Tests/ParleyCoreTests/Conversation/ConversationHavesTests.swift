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
        let session = sample.conversation.sessions.numbers[envelope.header.tag]
        return sample.conversation.sessions.knows(sample.head(envelope), in: session)
    }

    @Test func aHeadStandsAtItsIndices() throws {
        let sample = try sample()
        for (session, envelope) in [
            (0, try ben.writes("s", revision: 2, context: [ada.dot(1)])),
            (1, try ada.writes("t", 2)), (1, try ben.writes("t", 2)),
        ] {
            let heads = sample.conversation.sessions[session].heads
            let index = try #require(heads.firstIndex { $0.dot == envelope.header.dot })
            let standing = sample.conversation.sessions.standing(of: sample.entry(envelope))
            #expect(standing == .head(session: session, head: index))
            #expect(knows(envelope, sample))
        }
    }

    @Test func whatWasReplacedIsDominated() throws {
        let sample = try sample()
        let replaced = try ada.writes("s")
        #expect(sample.conversation.sessions.standing(of: sample.entry(replaced)) == .dominated)
        #expect(!knows(replaced, sample))
    }

    @Test func whatNoHeadDominatesIsMissing() throws {
        let sample = try sample()
        for envelope in [
            try ada.writes("u", 3),
            try ada.writes("s", 3, revision: 3, context: [ben.dot(1)]),
            try ada.writes("t", 2, text: "another under the same dot"),
        ] {
            #expect(sample.conversation.sessions.standing(of: sample.entry(envelope)) == .missing)
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
        #expect(Set(settled) == [sample.name(first), sample.name(second)])
        #expect(sample.conversation.wants.count == 1)
        #expect(sample.merge(try ada.writes("t", 3)).settled == [])
    }

    @Test func entriesAreOfTheBucketsAskedForAndNoMoreThanAskedFor() throws {
        let sample = try sample()
        let bucket = Int(ada.tag("t").bytes[0])
        var start = 0
        let entries = sample.conversation.sessions.entries(
            inBuckets: [bucket],
            from: &start,
            countMax: 10
        )
        #expect(Set(entries.map(\.dot)) == [ada.dot(2), ben.dot(2)])
        #expect(entries.allSatisfy { $0.position == 0 && $0.tag == ada.tag("t") })
        let one = sample.conversation.sessions.entries(
            inBuckets: [bucket],
            from: &start,
            countMax: 1
        )
        #expect(one.count == 1)
        #expect(
            sample.conversation.sessions.entries(inBuckets: [], from: &start, countMax: 10) == []
        )
    }

    /// Regression: a repair for which there was little credit announced the same heads each time.
    @Test func entriesGoOnWhereTheyEnded() throws {
        var sample = try sample()
        sample.take(try (10..<30).map { try ada.writes("r\($0)", $0) })
        let all = Set(sample.conversation.sessions.map { Int($0.tag.value.words.0 >> 56) })
        var start = 0
        let announced = (0..<5).map { _ in
            sample.conversation.sessions.entries(inBuckets: all, from: &start, countMax: 7).map(
                \.dot
            )
        }
        #expect(announced.allSatisfy { $0.count == 7 })
        #expect(Set(announced.joined()).isSuperset(of: (10..<30).map { ada.dot($0) }))
    }

    /// Regression: a relay announced a real envelope in a wrong session before an honest peer
    /// announced it, and the honest peer was asked for it in the wrong session.
    @Test func anEnvelopeInAWrongSessionIsAnotherOne() throws {
        var sample = try sample()
        let envelope = try ada.writes("new", 9)
        let entry = sample.entry(envelope)
        let wrong = HaveEntry(
            position: 0,
            tag: ada.tag("t"),
            dot: entry.dot,
            revision: entry.revision,
            digestPrefix: entry.digestPrefix
        )
        for (entry, peer) in [(wrong, LinkID(1)), (entry, LinkID(2))] {
            let isAsked = sample.conversation.wants.announced(
                entry,
                by: peer,
                author: nil,
                at: .start
            )
            #expect(isAsked)
        }
        sample.conversation.wants.notFound(wrong.name, from: LinkID(2), at: .start)
        #expect(sample.conversation.wants.holders(of: entry.name) == [LinkID(2)])
        #expect(sample.merge(envelope).settled == [entry.name])
        #expect(sample.conversation.wants.holders(of: wrong.name) == [LinkID(1)])
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
        #expect(sample.conversation.sessions.auditSums == sums)
    }
}
