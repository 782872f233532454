import ParleyCore
import ParleyFaults
import Testing

/// A conversation as people and programs see it.
@Suite struct ConversationReadingTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)

    /// "s" was replaced once, "t" is in conflict.
    private func sample(_ role: Capability.Role = .writer) throws -> SampleConversation {
        var sample = SampleConversation(role: role, writers: [ada, ben])
        sample.take([
            try ada.writes("s"), try ada.writes("s", 2, revision: 2),
            try ada.writes("t", 3), try ben.writes("t", revision: 2, blobs: [BlobReference(1)]),
        ])
        return sample
    }

    @Test func theTranscriptHasMessagesAndTheLinesOfReplacedOnes() throws {
        let sample = try sample()
        let expected = [
            (0, ada.dot(1), true), (0, ada.dot(2), false), (1, ben.dot(1), false),
        ].sorted { $0.1 < $1.1 }
        let entries = sample.conversation.transcript()
        #expect(entries.map(\.dot) == expected.map(\.1))
        #expect(entries.map(\.session) == expected.map { Int32($0.0) })
        let summaries = entries.map { entry in
            if case .summary = entry { true } else { false }
        }
        #expect(summaries == expected.map(\.2))
    }

    /// Regression: whoever lost a conflict was said to be replaced, and is still a head; and where
    /// it was never shown, it left no line when it was replaced.
    @Test func theLoserOfAConflictIsNotReplacedYet() throws {
        var sample = try sample()
        let isSummary = { (dot: Dot) in
            sample.conversation.transcript()
                .contains { entry in
                    if case .summary = entry { entry.dot == dot } else { false }
                }
        }
        #expect(!isSummary(ada.dot(3)) && !isSummary(ben.dot(1)))
        sample.take([try ada.writes("t", 5, revision: 3, context: [ben.dot(1)])])
        #expect(isSummary(ada.dot(3)) && isSummary(ben.dot(1)), "both are replaced")
    }

    /// A message that lost as it came was never shown, and is a summary all the same once it is
    /// replaced, also after a restart.
    @Test func whatWasNeverShownLeavesALine() throws {
        var sample = SampleConversation(writers: [ada, ben])
        sample.take([
            try ben.writes("t", revision: 2), try ada.writes("t", 1, place: 3),
            try ben.writes("t", 2, revision: 3, context: [ada.dot(1)], place: 4),
        ])
        let expected = [ben.dot(1), ada.dot(1), ben.dot(2)]
        #expect(sample.conversation.transcript().map(\.dot) == expected)
        var again = SampleConversation(writers: [ada, ben])
        let row = sample.conversation.write(0, with: sample.ticket)
        _ = again.conversation.recover(row, into: &again.cache, using: again.crypto)
        #expect(again.conversation.transcript().map(\.dot) == expected)
    }

    /// Each head of a session leads to it, and replaced messages lead nowhere.
    @Test func aSessionIsFoundByEachOfItsHeads() throws {
        let conversation = try sample().conversation
        let found = [ada.dot(1), ada.dot(2), ada.dot(3), ben.dot(1), ben.dot(2)].map {
            conversation.view(withHead: $0)?.tag
        }
        #expect(found == [nil, ada.tag("s"), ada.tag("t"), ada.tag("t"), nil])
    }

    @Test func aRelayHasNoTranscript() throws {
        #expect(try sample(.relay).conversation.transcript().isEmpty)
    }

    @Test func aViewHasTheShownHeadFirstAndItsAuthor() throws {
        let sample = try sample()
        let view = try #require(sample.conversation.view(ada.tag("t")))
        #expect(view.conversation == 1)
        #expect(view.row == 2)
        #expect(view.position == 4)
        #expect(view.heads.map(\.dot) == [ben.dot(1), ada.dot(3)])
        #expect(view.heads.map(\.revision) == [2, 1])
        #expect(view.heads.map(\.blobs) == [[BlobReference(1)], []])
        #expect(
            view.heads.map(\.author)
                == [ben, ada].map {
                    AuthorView(device: $0.device, participant: $0.participant)
                }
        )
        #expect(sample.conversation.view(2) == nil)
        #expect(sample.conversation.view(-1) == nil)
        #expect(sample.conversation.view(ada.tag("u")) == nil)
    }

    @Test func sessionsAreFoundByConflictAndByBlob() throws {
        let sample = try sample()
        #expect(sample.conversation.conflicts().map(\.tag) == [ada.tag("t")])
        #expect(
            sample.conversation.sessions.tags(listing: BlobReference(1).id) == [ada.tag("t")]
        )
        #expect(sample.conversation.sessions.tags(listing: BlobReference(2).id) == [])
    }

    @Test func readersOpenBodiesAndRelaysDoNot() throws {
        let envelope = try ada.writes("s", text: "hello").bytes
        let reader = try sample(.reader)
        #expect(reader.conversation.open(envelope, using: reader.crypto)?.url == "hello")
        #expect(
            reader.conversation.tag(of: SessionUUID(session: "s"), using: reader.crypto)
                == ada.tag("s")
        )
        #expect(reader.conversation.sessionUUID(ada.tag("s")) == SessionUUID(session: "s"))
        let relay = try sample(.relay)
        #expect(relay.conversation.open(envelope, using: relay.crypto) == nil)
        #expect(
            relay.conversation.tag(of: SessionUUID(session: "s"), using: relay.crypto) == nil
        )
        #expect(relay.conversation.sessionUUID(ada.tag("s")) == nil)
    }

    @Test func onlyWritersReserveSequences() throws {
        for (role, end) in [
            (Capability.Role.relay, nil), (.reader, nil), (.writer, 1 + OwnSequences.block),
        ] {
            var sample = SampleConversation(role: role)
            #expect(sample.conversation.reserveSequences() == end)
            #expect(sample.conversation.reserveSequences() == nil)
        }
    }
}
