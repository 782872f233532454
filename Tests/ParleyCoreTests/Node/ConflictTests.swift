import ParleyCore
import ParleyFaults
import Testing

/// Messages that do not know of one another: one winner, the others kept until somebody answers.
@Suite struct ConflictTests {
    private let table = SimulatedConversation(1)

    /// Two nodes that are cut off from one another both answer the same message.
    @Test(arguments: 0..<UInt64(8))
    func sameWinnerEverywhere(seed: UInt64) throws {
        var settings = WorldSettings()
        settings.seed = seed
        let world = World(nodes: 4, settings)
        world.join(table, [0, 1, 2, 3])
        world.run(.milliseconds(500))
        world.send("s", "question", by: 0, in: table)
        world.run(.milliseconds(100))
        world.isolate([0, 1])
        world.send("s", "left", by: 0, in: table)
        world.send("s", "right", by: 3, in: table)
        world.run(.seconds(3))
        #expect(world.texts("s", in: table) == ["left", "left", "right", "right"])
        world.heal()
        world.run(.seconds(4))
        let texts = world.texts("s", in: table)
        #expect(Set(texts).count == 1)
        for node in 0..<4 {
            #expect(world.view("s", in: table, at: node)?.heads.count == 2, "the loser is kept")
            #expect(world.nodes[node].person.conflicts.count == 1, "one report on \(node)")
        }
        world.expectEqualHeads(of: table)
        world.send("s", "settled", by: 2, in: table)
        world.run(.milliseconds(200))
        #expect(world.texts("s", in: table) == Array(repeating: "settled", count: 4))
        for node in 0..<4 {
            #expect(world.nodes[node].person.conflicts.map(\.heads.count) == [2, 1])
        }
        world.settle()
        world.expectSound()
    }

    /// The lines of replaced messages stay where they were seen.
    @Test func replacedMessagesLeaveLines() throws {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        for number in 0..<3 {
            let draft = World.Draft(session: "s", text: "\(number)", summary: "sum \(number)")
            world.send([draft], by: number % 2, in: table)
            world.send("t\(number)", "other", by: 0, in: table)
            world.run(.milliseconds(50))
        }
        for node in 0..<2 {
            let number = try #require(world.number(of: table, at: node))
            let machine = try #require(world.nodes[node].machine)
            let words = (machine.conversation(number)?.transcript() ?? []).map { entry in
                switch entry {
                case .message: "message"
                case .summary(_, let line): line.summaryText ?? "?"
                }
            }
            #expect(words == ["sum 0", "message", "sum 1", "message", "message", "message"])
        }
        world.crash(1)
        world.start(1)
        world.run(.milliseconds(500))
        let view = try #require(world.view("s", in: table, at: 1))
        #expect(view.lines.map(\.summaryText) == ["sum 0", "sum 1"])
        world.expectSound()
    }

    /// A participant whose turn it is not has moved while cut off: everybody says so and merges.
    @Test func outOfTurnIsFlaggedAndMerged() throws {
        var puppet = Puppet()
        puppet.meetAndSync()
        let author = SimulatedAuthor(crypto: puppet.peer, table: table)
        puppet.send(author.originFrame)
        var first = author.header("s", 1)
        first.next = [ParticipantID(Bytes16(1, 2))]
        puppet.send(author.frame(author.envelope(first, session: "s", text: "1"), position: 1))
        let second = author.header("s", 2, revision: 2)
        puppet.send(author.frame(author.envelope(second, session: "s", text: "2"), position: 2))
        let flagged = puppet.deliveries.compactMap { delivery in
            if case .outOfTurn(_, _, let dot, _) = delivery { dot } else { nil }
        }
        #expect(flagged == [author.dot(2)])
        #expect(puppet.session?.register.heads.map(\.dot) == [author.dot(2)])
        #expect(puppet.refusals.isEmpty)
    }

    /// Two envelopes under one dot: both are named, the higher stays.
    @Test func equivocationIsReported() throws {
        var puppet = Puppet()
        puppet.meetAndSync()
        let author = SimulatedAuthor(crypto: puppet.peer, table: table)
        puppet.send(author.originFrame)
        for text in ["one", "other"] {
            let envelope = author.envelope(author.header("s", 1), session: "s", text: text)
            puppet.send(author.frame(envelope, position: text == "one" ? 1 : 2))
        }
        let reported = puppet.deliveries.compactMap { delivery in
            if case .equivocation(_, _, let dot) = delivery { dot } else { nil }
        }
        #expect(reported == [author.dot(1)])
        #expect(puppet.session?.register.heads.count == 1)
    }

    /// Regression, simulator seed 847: who sent the lower one counted as having the higher one, and
    /// got it only half a minute later, from an audit.
    @Test func whoHasTheOtherEnvelopeGetsTheHigherOne() throws {
        var puppet = Puppet()
        puppet.meetAndSync()
        let third = SimulatedCryptography(seed: 3)
        puppet.meet(third, on: LinkID(2))
        puppet.begin(on: LinkID(2))
        let author = SimulatedAuthor(crypto: third, table: table)
        for link in [LinkID(1), LinkID(2)] { puppet.send(author.originFrame, on: link) }
        let envelopes = ["one", "other"].map { text in
            author.envelope(author.header("s", 1), session: "s", text: text)
        }
        let digests = try envelopes.map { bytes in
            try Envelope(decoding: bytes).head(in: table.id, using: third).digest
        }
        let isFirstHigher = digests[0] > digests[1]
        let higher = envelopes[isFirstHigher ? 0 : 1]
        let lower = envelopes[isFirstHigher ? 1 : 0]
        puppet.handle([
            received(author.frame(higher, position: 1), on: LinkID(2)),
            received(author.frame(lower, position: 1), on: LinkID(1)),
        ])
        puppet.pass(.milliseconds(60))
        let sent = puppet.frames.compactMap { frame in
            if case .envelope(let frame) = frame { frame.envelope } else { nil }
        }
        #expect(sent == [higher])
    }

    private func received(_ frame: Frame, on link: LinkID) -> NodeInput {
        var bytes: [UInt8] = []
        frame.append(to: &bytes)
        return .received(link, Slice(bytes))
    }
}
