import ParleyCore
import ParleyFaults
import Testing

/// An envelope goes back on its link only if the peer asked for just this one, once for each want.
@Suite struct EchoCheckerTests {
    private let world = World(nodes: 2)
    private let author = SimulatedAuthor(
        crypto: SimulatedCryptography(seed: 9),
        table: SimulatedConversation(1)
    )
    private let link = LinkID(77)

    private func envelope(_ session: String) -> Slice {
        author.envelope(author.header(session, 1), session: session, text: session)
    }

    /// Node 0 hears something from node 1.
    private func received(_ frames: [Frame]) -> WorldEvent {
        .input(node: 0, .received(link, bytes(of: frames)))
    }

    /// Node 0 says something to node 1.
    private func sent(_ frames: [Frame]) -> WorldEvent {
        .sent(from: 0, to: 1, link: link, bytes: bytes(of: frames))
    }

    private func bytes(of frames: [Frame]) -> Slice {
        var bytes: [UInt8] = []
        for frame in frames { frame.append(to: &bytes) }
        return Slice(bytes)
    }

    private func want(_ envelope: Slice) throws -> Frame {
        let entry = try #require(author.entry(envelope, position: 0))
        return .want(WantList(conversation: 0, entries: [entry]))
    }

    private func notFound(_ envelope: Slice) throws -> Frame {
        let entry = try #require(author.entry(envelope, position: 0))
        let answer = HaveEntry(
            position: 0,
            tag: entry.tag,
            dot: entry.dot,
            revision: 0,
            digestPrefix: entry.digestPrefix
        )
        return .have(HaveList(conversation: 0, entries: [answer]))
    }

    /// How many echoes the checker sees in what happens.
    private func echoes(_ events: [WorldEvent]) -> Int {
        var checker = EchoChecker(Ledger())
        for event in events { checker.observe(event, in: world) }
        return world.failures.count { $0.promise == EchoChecker.promise }
    }

    @Test func echoIsSeen() {
        let frame = author.frame(envelope("s"))
        #expect(echoes([received([frame]), sent([frame])]) == 1)
    }

    @Test func answerToAWantIsNoEcho() throws {
        let envelope = envelope("s")
        let frame = author.frame(envelope)
        let events = [received([frame]), received([try want(envelope)]), sent([frame])]
        #expect(echoes(events) == 0)
    }

    @Test func secondAnswerToAWantIsAnEcho() throws {
        let envelope = envelope("s")
        let frame = author.frame(envelope)
        let events = [received([frame]), received([try want(envelope)]), sent([frame, frame])]
        #expect(echoes(events) == 1)
    }

    @Test func wantForAnotherEnvelopeExcusesNothing() throws {
        let frame = author.frame(envelope("s"))
        let other = author.envelope(author.header("t", 2), session: "t", text: "t")
        let events = [received([frame]), received([try want(other)]), sent([frame])]
        #expect(echoes(events) == 1)
    }

    /// The answer was on its way when the peer got the envelope from elsewhere and passed it on.
    @Test func answeredWantExcusesNothingLater() throws {
        let envelope = envelope("s")
        let frame = author.frame(envelope)
        let events = [
            received([try want(envelope)]), sent([frame]), received([frame]), sent([frame]),
        ]
        #expect(echoes(events) == 1)
    }

    @Test func wantThatFoundNothingExcusesNothingLater() throws {
        let envelope = envelope("s")
        let frame = author.frame(envelope)
        let events = [
            received([try want(envelope)]), sent([try notFound(envelope)]), received([frame]),
            sent([frame]),
        ]
        #expect(echoes(events) == 1)
    }

    @Test func wantsEndWithTheirLink() throws {
        let envelope = envelope("s")
        let frame = author.frame(envelope)
        let closed = WorldEvent.input(node: 0, .linkClosed(link, "it went away"))
        let events = [received([try want(envelope)]), closed, received([frame]), sent([frame])]
        #expect(echoes(events) == 1)
    }
}
