import ParleyCore
import ParleyFaults
import Testing

/// What a peer is told of how far a feed has come.
@Suite struct PositionTests {
    private let table = SimulatedConversation(1)

    /// Regression: a session that had moved on in memory was stepped over by the positions of those
    /// behind it, and a crash put it back to where its peers had confirmed already.
    @Test func changesThatAreNotOnDiskAreNotSteppedOver() {
        var puppet = Puppet()
        for (number, session) in ["s", "t", "u"].enumerated() {
            puppet.handle(.authored([request(UInt64(number), session: session)]))
        }
        puppet.commits = false
        puppet.handle(.authored([request(3, session: "t")]))
        puppet.handle(.authored([request(4, session: "v")]))
        puppet.meetAndSync()
        // "u" steps over "t" at 2; "t" itself has moved to 4.
        #expect(positions(puppet) == [1, 0, 4, 5])
    }

    /// Regression: what was told in such a gap has no position, and counted as nobody's lack, so
    /// that positions behind it were confirmed without it.
    @Test func whatIsToldWithoutPositionIsMissing() throws {
        var puppet = Puppet()
        puppet.meetAndSync()
        var author = SimulatedAuthor(crypto: puppet.peer, table: table)
        author.epoch = Epoch(3)
        puppet.send(author.originFrame)
        let told = author.envelope(author.header("s", 1), session: "s", text: "x")
        let pushed = author.envelope(author.header("t", 2), session: "t", text: "y")
        let entry = try #require(author.entry(told, position: 0))
        puppet.send(.have(HaveList(conversation: 0, entries: [entry])))
        puppet.send(author.frame(pushed, position: 9))
        #expect(puppet.storedPosition == nil)
        puppet.send(author.frame(told, position: 0))
        #expect(puppet.storedPosition == 9)
    }

    private func request(_ number: UInt64, session: String) -> AuthorRequest {
        AuthorRequest(
            request: RequestID(number),
            conversation: 1,
            body: MessageBody(session: SessionID(session: session), place: 0, sentAt: 0)
        )
    }

    /// Of the envelopes that the node sent.
    private func positions(_ puppet: Puppet) -> [UInt64] {
        puppet.frames.compactMap { frame in
            if case .envelope(let frame) = frame { frame.position } else { nil }
        }
    }
}
