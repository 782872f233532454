import ParleyCore
import ParleyFaults
import Testing

/// A request to write gets exactly one typed answer, whatever happens.
@Suite struct AuthoringTests {
    private let table = SimulatedConversation(1)

    private func pair() -> World {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        return world
    }

    @Test func storedIsAnsweredOnlyOnceCommitted() {
        let world = pair()
        world.stopCommitting(0)
        let request = world.send("s", "x", by: 0, in: table)
        world.run(.milliseconds(300))
        #expect(world.answer(request) == nil)
        world.resumeCommitting(0)
        world.run(.milliseconds(10))
        #expect(world.text("s", in: table, at: 1) == "x")
        guard case .stored(let message)? = world.answer(request) else {
            Issue.record("no answer after the commit")
            return
        }
        #expect(message.revision == 1)
        #expect(message.session == SessionUUID(session: "s"))
        world.expectSound()
    }

    @Test func deliveredCountsNodesThatHaveItOnDisk() {
        let world = World(nodes: 3)
        world.join(table, [0, 1, 2])
        world.run(.milliseconds(500))
        world.stopCommitting(2)
        let draft = World.Draft(session: "s", text: "x", following: .shown)
        world.send([draft], by: 0, in: table)
        world.run(.milliseconds(100))
        #expect(delivered(to: 0, in: world) == [1])
        world.resumeCommitting(2)
        world.run(.milliseconds(100))
        #expect(delivered(to: 0, in: world) == [1, 2])
        world.expectSound()
    }

    /// What only this node has would be lost with it.
    @Test func messagesAreUnconfirmedUntilAnotherNodeHasThem() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        world.stopCommitting(1)
        world.send("s", "x", by: 0, in: table)
        world.send("t", "x", by: 0, in: table)
        for count in [2, 0] {
            world.run(.seconds(1))
            #expect(world.nodes[0].state(of: table)?.unconfirmedMessages == count)
            #expect(world.nodes[1].state(of: table)?.unconfirmedMessages == 0)
            world.resumeCommitting(1)
        }
        world.expectSound()
    }

    /// Behind a message that somebody waits for comes a watermark: the peer confirms it at once.
    @Test(arguments: [AuthorRequest.Following.no, .shown, .awaited])
    func peersAreAskedToConfirmWhatIsAwaited(_ following: AuthorRequest.Following) {
        var puppet = Puppet()
        puppet.meetAndSync()
        puppet.forgetFrames()
        puppet.handle(.authored([request(1, session: "s", following: following)]))
        #expect(puppet.count(.envelope) == 1)
        let isAsked = following == .awaited
        #expect(puppet.announcements == (isAsked ? [.watermark(position: 1)] : []))
        if isAsked { #expect(puppet.frames.last?.type == .have) }
    }

    /// Of messages in close succession, all peers confirm the one at once that is waited for.
    @Test(arguments: [AuthorRequest.Following.shown, .awaited])
    func whatIsAwaitedIsConfirmedAtOnce(_ following: AuthorRequest.Following) {
        let world = World(nodes: 3)
        world.join(table, [0, 1, 2])
        world.run(.milliseconds(500))
        world.send("s", "first", by: 0, in: table)
        world.run(.milliseconds(1))
        let draft = World.Draft(session: "t", text: "second", following: following)
        world.send([draft], by: 0, in: table)
        world.run(Confirmations.gathering - .milliseconds(10))
        #expect((delivered(to: 0, in: world) == [1, 2]) == (following == .awaited))
        world.run(Confirmations.gathering)
        #expect(delivered(to: 0, in: world) == [1, 2])
        world.expectSound()
    }

    @Test func staleNamesThePresentHeads() throws {
        let world = pair()
        world.send("s", "one", by: 0, in: table)
        world.run(.milliseconds(50))
        let first = try #require(world.view("s", in: table, at: 1)?.heads.map(\.dot))
        world.send("s", "two", by: 0, in: table)
        world.run(.milliseconds(50))
        let second = try #require(world.view("s", in: table, at: 1)?.heads.map(\.dot))
        let late = World.Draft(session: "s", text: "late", replacing: first)
        let request = world.send([late], by: 1, in: table)[0]
        #expect(world.answer(request) == .stale(second))
        let right = World.Draft(session: "s", text: "three", replacing: second)
        world.send([right], by: 1, in: table)
        world.run(.milliseconds(50))
        #expect(world.texts("s", in: table) == ["three", "three"])
        let new = World.Draft(session: "t", text: "new", replacing: second)
        let unfounded = world.send([new], by: 1, in: table)[0]
        #expect(world.answer(unfounded) == .stale([]))
        world.expectSound()
    }

    @Test func notYourTurnNamesWhoIsNext() {
        let world = pair()
        let next = [world.participant(1, in: table)]
        world.send([World.Draft(session: "s", text: "your move", next: next)], by: 0, in: table)
        world.run(.milliseconds(50))
        let request = world.send("s", "me again", by: 0, in: table)
        #expect(world.answer(request) == .notYourTurn(next))
        world.send("s", "my move", by: 1, in: table)
        world.run(.milliseconds(50))
        #expect(world.texts("s", in: table) == ["my move", "my move"])
        world.expectSound()
    }

    @Test func tooLargeSaysHowLarge() throws {
        let world = pair()
        let request = world.send("s", String(repeating: "u", count: 5_001), by: 0, in: table)
        #expect(world.answer(request) == .tooLarge(bytes: 5_001, limit: 5_000))
        var draft = World.Draft(session: "s", text: "x")
        let bytes = Slice([UInt8](repeating: 1, count: Limits.blobBytes))
        draft.picture = InlinePicture(type: "image/png", bytes: bytes)
        let picture = world.send([draft], by: 0, in: table)[0]
        #expect(
            world.answer(picture)
                == .tooLarge(bytes: 4 << 20, limit: (4 << 20) - SealNonce.overhead)
        )
        world.run(.milliseconds(50))
        #expect(world.view("s", in: table, at: 1) == nil)
        world.expectSound()
    }

    @Test func unknownConversation() {
        let world = pair()
        let request = world.send("s", "x", by: 0, in: SimulatedConversation(9))
        #expect(world.answer(request) == .unknownConversation)
    }

    @Test func malformedSaysWhat() {
        let world = pair()
        let long = String(repeating: "s", count: 300)
        let draft = World.Draft(session: "s", text: "x", summary: long)
        let first = world.send([draft], by: 0, in: table)[0]
        guard case .malformed(let why)? = world.answer(first) else {
            Issue.record("a summary of 300 bytes was taken")
            return
        }
        #expect(why.contains("summary"))
        let crowd = (0..<17).map { ParticipantID(Bytes16($0, 0)) }
        let turn = World.Draft(session: "s", text: "x", next: crowd)
        let second = world.send([turn], by: 0, in: table)[0]
        guard case .malformed? = world.answer(second) else {
            Issue.record("17 participants were taken")
            return
        }
    }

    /// A session with as many origins as one envelope can name takes no new one.
    @Test func sessionFullWhenTooManyHaveWritten() {
        var puppet = Puppet()
        puppet.meetAndSync()
        var author = SimulatedAuthor(crypto: puppet.peer, table: table)
        let others = (0..<UInt64(Limits.contextOrigins)).map {
            Dot(origin: OriginID(Bytes16($0 + 1, 7)), sequence: 1)
        }
        author.epoch = Epoch(3)
        puppet.send(author.originFrame)
        let header = author.header("s", 1, revision: 300, context: others)
        puppet.send(author.frame(author.envelope(header, session: "s", text: "x"), position: 1))
        puppet.handle(.authored([request(1, session: "s")]))
        #expect(answers(puppet) == [.sessionFull])
        #expect(puppet.refusals.isEmpty)
    }

    @Test func storeFullWhileCommitsFail() {
        var puppet = Puppet()
        puppet.handle(.storeBlocked(true))
        puppet.handle(.authored([request(1, session: "s")]))
        #expect(answers(puppet) == [.storeFull])
        puppet.handle(.storeBlocked(false))
        puppet.handle(.authored([request(2, session: "s")]))
        #expect(answers(puppet).count == 2)
        guard case .stored? = answers(puppet).last else {
            Issue.record("nothing is stored though the store works again")
            return
        }
    }

    /// Messages sent at once wait for the first sequences, in order, and share a signature.
    @Test func requestsBeforeTheFirstCommitWait() {
        let world = World(nodes: 1)
        world.join(table, [0])
        let drafts = (0..<20).map { World.Draft(session: "s\($0 % 10)", text: "\($0)") }
        let requests = world.send(drafts, by: 0, in: table)
        world.run(.milliseconds(20))
        #expect(requests.allSatisfy { world.answer($0) != nil })
        #expect(world.text("s9", in: table, at: 0) == "19")
        #expect(world.view("s9", in: table, at: 0)?.heads.first?.revision == 2)
        world.expectSound()
    }

    /// Leaving a conversation answers what still waits to be written there.
    @Test func leavingAnswersWhatWaits() {
        let world = World(nodes: 1)
        world.join(table, [0])
        let request = world.send("s", "x", by: 0, in: table)
        #expect(world.answer(request) == nil)
        world.leave(table, 0)
        #expect(world.answer(request) == .unknownConversation)
    }

    /// Regression: a message that waited for the disk was shown although its conversation had been
    /// left.
    @Test func nothingIsShownOfWhatWasLeft() {
        let world = pair()
        world.stopCommitting(1)
        world.send("s", "x", by: 0, in: table)
        world.run(.milliseconds(100))
        world.leave(table, 1)
        world.resumeCommitting(1)
        world.run(.milliseconds(100))
        #expect(
            world.nodes[1].person.deliveries.count { if case .shown = $0 { true } else { false } }
                == 0
        )
        world.expectSound()
    }

    /// Regression: a cursor that was on its way to the disk was named on the next link, and counted
    /// as delivered.
    @Test func deliveredWaitsForTheDiskAlsoOnANewLink() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        world.stopCommitting(1)
        let draft = World.Draft(session: "s", text: "1", following: .shown)
        world.send([draft], by: 0, in: table)
        world.run(.milliseconds(200))
        world.resetWires(0, 1)
        world.run(.seconds(3))
        #expect(delivered(to: 0, in: world) == [])
        world.resumeCommitting(1)
        world.run(.seconds(1))
        #expect(delivered(to: 0, in: world) == [1])
        world.expectSound()
    }

    private func delivered(to node: Int, in world: World) -> [Int] {
        world.nodes[node].person.deliveries.compactMap { delivery in
            if case .linked(_, let count) = delivery { count } else { nil }
        }
    }

    private func request(
        _ number: UInt64,
        session: String,
        following: AuthorRequest.Following = .no
    ) -> AuthorRequest {
        AuthorRequest(
            request: RequestID(number),
            conversation: 1,
            body: MessageBody(session: SessionUUID(session: session), place: 0, sentAt: 0),
            following: following
        )
    }

    private func answers(_ puppet: Puppet) -> [AuthorAnswer] {
        puppet.deliveries.compactMap { delivery in
            if case .answer(_, let answer) = delivery { answer } else { nil }
        }
    }
}
