import ParleyCore
import ParleyFaults
import Testing

/// An envelope of a node is on its own disk before anybody gets it.
@Suite struct FirstOnDiskTests {
    /// A node that a peer has asked for its feed, and whose commits are done when the test says so.
    private func puppet() -> Puppet {
        var puppet = Puppet()
        puppet.meetAndSync()
        puppet.commits = false
        return puppet
    }

    /// Regression, simulator seed 507658: a message was sent and then lost with its author's power.
    ///
    /// At a peer it had replaced an acknowledged one, and the author's next message, which knew of
    /// neither, replaced it there, as later messages of an origin do.
    @Test func writtenIsSentOnceItIsOnDisk() {
        var puppet = puppet()
        puppet.handle(.authored([request(1, "s")]))
        puppet.pass(.seconds(2))
        #expect(puppet.count(.envelope) == 0)
        #expect(puppet.announced.isEmpty)
        puppet.commitAll()
        #expect(puppet.count(.envelope) == 1)
    }

    /// A peer that joins while a message is on its way to the disk gets its announcement
    /// afterwards.
    @Test func linkDoesNotHurryIt() {
        var puppet = Puppet()
        puppet.handle(.authored([request(1, "s")]))
        puppet.commits = false
        puppet.handle(.authored([request(2, "t")]))
        puppet.meetAndSync()
        puppet.pass(.milliseconds(60))
        #expect(puppet.announced.map(\.sequence) == [1])
        puppet.commitAll()
        #expect(puppet.announced.map(\.sequence) == [1, 2])
        puppet.send(.want(WantList(conversation: 0, entries: puppet.announcements)))
        #expect(texts(puppet) == ["s", "t"])
    }

    /// A session that is written to faster than the disk is: each commit brings one message to the
    /// peers, and none waits for a pause.
    @Test func replacementWaitsForWhatIsOnItsWay() {
        var puppet = puppet()
        for number in 1...4 { puppet.handle(.authored([request(UInt64(number), "s")])) }
        puppet.commitNext()
        #expect(revisions(puppet) == [1])
        #expect(stored(puppet) == [1])
        puppet.send(.stored(Stored(conversation: 0, position: 1)))
        puppet.commitNext()
        #expect(revisions(puppet) == [1, 4], "those in between were written at once")
        #expect(stored(puppet) == [1, 2, 3, 4])
        let isMore = puppet.commitNext()
        #expect(!isMore)
    }

    /// Messages get their numbers and places in the order in which they were handed over.
    @Test func othersWaitBehindIt() {
        var puppet = puppet()
        for (number, session) in ["s", "s", "t"].enumerated() {
            puppet.handle(.authored([request(UInt64(number), session)]))
        }
        #expect(puppet.machine.load.requests == 2)
        puppet.commitNext()
        #expect(puppet.machine.load.requests == 0)
        puppet.commitAll()
        #expect(stored(puppet) == [0, 1, 2])
    }

    /// Of what waits nothing was done: a disk that fails meanwhile refuses it at once.
    @Test func fullDiskRefusesWhatWaits() {
        var puppet = puppet()
        for number in 1...2 { puppet.handle(.authored([request(UInt64(number), "s")])) }
        puppet.handle(.storeBlocked(true))
        #expect(answers(puppet) == [RequestID(2): .storeFull])
    }

    private func request(_ number: UInt64, _ session: String) -> AuthorRequest {
        AuthorRequest(
            request: RequestID(number),
            conversation: 1,
            body: MessageBody(
                session: SessionUUID(session: session),
                place: 0,
                sentAt: 0,
                url: session
            )
        )
    }

    // MARK: Outcomes

    private func revisions(_ puppet: Puppet) -> [UInt64] {
        envelopes(puppet).map(\.header.revision)
    }

    /// The sessions of the envelopes that the peer got, by the names that they have here.
    private func texts(_ puppet: Puppet) -> [String] {
        let author = SimulatedAuthor(crypto: puppet.node, table: puppet.table)
        return envelopes(puppet).map { envelope in
            ["s", "t"].first { author.tag($0) == envelope.header.tag } ?? "?"
        }
    }

    private func envelopes(_ puppet: Puppet) -> [Envelope] {
        puppet.frames.compactMap { frame in
            guard case .envelope(let frame) = frame else { return nil }
            return try? Envelope(decoding: frame.envelope)
        }
    }

    private func answers(_ puppet: Puppet) -> [RequestID: AuthorAnswer] {
        var answers: [RequestID: AuthorAnswer] = [:]
        for case .answer(let request, let answer) in puppet.deliveries { answers[request] = answer }
        return answers
    }

    /// The numbers of the requests that were answered with "stored", in the order of the answers.
    private func stored(_ puppet: Puppet) -> [UInt64] {
        puppet.deliveries.compactMap { delivery in
            guard case .answer(let request, .stored) = delivery else { return nil }
            return request.value
        }
    }
}
