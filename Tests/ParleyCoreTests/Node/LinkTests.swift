import ParleyCore
import ParleyFaults
import Testing

/// How links begin, settle and end.
@Suite struct LinkTests {
    private let table = SimulatedConversation(1)
    private let other = SimulatedConversation(2)

    /// Both sides dial at once: one link stays.
    @Test(arguments: 0..<UInt64(20))
    func duplicateLinksSettleToOne(seed: UInt64) {
        var settings = WorldSettings()
        settings.seed = seed
        settings.wireDelay = 500...5_000
        let world = World(nodes: 2, settings)
        world.join(table, [0, 1])
        world.join(other, [0, 1])
        world.run(.seconds(3))
        #expect(world.nodes.map { $0.machine?.links.count } == [1, 1])
        #expect(world.nodes.map(\.sockets.wires.count) == [1, 1])
        world.send("s", "x", by: 0, in: table)
        world.send("t", "y", by: 1, in: other)
        world.run(.milliseconds(100))
        #expect(world.texts("s", in: table) == ["x", "x"])
        #expect(world.texts("t", in: other) == ["y", "y"])
        world.settle()
        world.expectSound()
    }

    /// Regression: of two links that came up together the later one stayed if the deciding side had
    /// opened it, and the feed that the earlier one had carried was sent once more.
    @Test(arguments: 0..<UInt64(20), [0, 1])
    func bothDialAndEachSessionComesOnce(seed: UInt64, stopped: Int) {
        var settings = WorldSettings()
        settings.seed = seed
        settings.wireDelay = 500...5_000
        let world = World(nodes: 2, settings)
        world.join(table, [0, 1])
        world.run(.seconds(1))
        world.stop(stopped)
        let author = 1 - stopped
        for number in 0..<100 { world.send("s\(number)", "x", by: author, in: table) }
        world.run(.milliseconds(100))
        world.start(stopped)
        world.introduce(author, to: stopped)
        world.run(.seconds(3))
        #expect(world.texts("s99", in: table) == ["x", "x"])
        #expect(world.nodes[stopped].machine?.links.figures.envelopesReceived == 100)
    }

    /// Regression: a silent link was asked whether it still works, for two seconds in which several
    /// new ones stayed beside it; each carried everything, and so did the old one if it came back.
    @Test func firstNewLinkReplacesASilentOneAtOnce() {
        var puppet = Puppet()
        var seed: UInt64 = 2
        while puppet.peerDevice > puppet.nodeDevice {
            seed += 1
            puppet.peer = SimulatedCryptography(seed: seed)
        }
        puppet.meet()
        puppet.pass(.seconds(7))
        for number in [UInt64(2), 3] {
            puppet.handle(
                .linkOpened(
                    OpenedLink(
                        id: LinkID(number),
                        dial: nil,
                        peerKey: puppet.peer.devicePublicKey,
                        exporter: puppet.exporter,
                        address: "puppet"
                    )
                )
            )
            puppet.send(puppet.hello, on: LinkID(number))
            puppet.send(puppet.tags(), on: LinkID(number))
        }
        #expect(puppet.closes.map(\.link) == [LinkID(1), LinkID(3)])
        #expect(puppet.machine.links.map(\.id) == [LinkID(2)])
    }

    /// Regression: a link that was ended as a duplicate became a member's again through the second
    /// conversation, and stayed among the links for ever.
    @Test func duplicateIsNotRevivedByTheSecondConversation() {
        var puppet = Puppet()
        puppet.handle(.joined(other.record(number: 2, role: .writer, device: puppet.nodeDevice)))
        let isJudge = puppet.nodeDevice > puppet.peerDevice
        puppet.meet()
        let second = OpenedLink(
            id: LinkID(2),
            dial: nil,
            peerKey: puppet.peer.devicePublicKey,
            exporter: puppet.exporter,
            address: "puppet"
        )
        puppet.handle(.linkOpened(second))
        puppet.send(puppet.hello, on: LinkID(2))
        puppet.send(puppet.tags(for: [table, other]), on: LinkID(2))
        #expect(puppet.machine.links.count == (isJudge ? 1 : 2))
        #expect(puppet.closes.count == (isJudge ? 1 : 0))
    }

    @Test func linkToItselfIsClosedAndNotDialledAgain() {
        let world = World(nodes: 1)
        world.join(table, [0])
        world.introduce(0, to: 0)
        world.run(.seconds(10))
        let closed = world.nodes[0].person.closeCauses.filter { $0 == .said(.selfLink, "") }
        #expect(closed.count == 2)
        #expect(world.nodes[0].sockets.latest == 2, "one dial, two ends")
        #expect(world.nodes[0].machine?.links.isEmpty == true)
        #expect(duplicates(in: world) == 0)
    }

    @Test func nothingSharedEndsAfterFiveSeconds() {
        let world = World(nodes: 2)
        world.join(table, [0])
        world.join(other, [1])
        world.run(.milliseconds(4_900))
        #expect(world.nodes[0].machine?.links.isEmpty == false)
        world.run(.milliseconds(300))
        let causes = world.nodes[0].person.closeCauses + world.nodes[1].person.closeCauses
        #expect(
            causes.contains { cause in
                if case .said(.nothingShared, _) = cause { true } else { false }
            }
        )
        #expect(world.trace.count(.feed) == 0)
        world.run(.seconds(60))
        world.expectSound()
    }

    /// Somebody joins while the link is open: it is used at once.
    @Test func joinWhileLinked() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.seconds(1))
        world.join(other, [0])
        world.run(.milliseconds(100))
        world.send("s", "waiting for you", by: 0, in: other)
        world.run(.milliseconds(100))
        world.join(other, [1])
        world.run(.milliseconds(100))
        #expect(world.text("s", in: other, at: 1) == "waiting for you")
        #expect(world.nodes[0].sockets.latest <= 2)
        world.expectSound()
    }

    /// Nodes that shared nothing dial one another as soon as they do.
    @Test func joinDialsKnownAddressesAtOnce() {
        let world = World(nodes: 2, areStrangers: true)
        for node in 0..<2 { world.introduce(node, to: 1 - node, source: .discovered) }
        world.join(other, [0])
        world.run(.seconds(200))
        world.join(other, [1])
        world.send("s", "welcome", by: 0, in: other)
        world.run(.milliseconds(100))
        #expect(world.text("s", in: other, at: 1) == "welcome")
        world.expectSound()
    }

    @Test func leavingClosesAndForgets() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        world.send("s", "x", by: 0, in: table)
        world.run(.milliseconds(100))
        world.leave(table, 1)
        world.run(.seconds(10))
        #expect(
            world.nodes[0].person.closeCauses.contains { cause in
                if case .heard(.left, _) = cause { true } else { false }
            }
        )
        #expect(world.nodes[1].disk.rows.isEmpty)
        #expect(world.nodes[1].disk.conversations.isEmpty)
        world.send("t", "alone", by: 0, in: table)
        world.run(.seconds(1))
        world.join(table, [1])
        world.run(.seconds(2))
        #expect(world.text("t", in: table, at: 1) == "alone")
        #expect(world.text("s", in: table, at: 1) == "x")
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// Regression: a conversation that was left and joined again while a peer did not have it kept
    /// its old number there.
    @Test func rejoinedConversationWorksWithWhoJoinsLater() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.join(other, [0])
        world.run(.seconds(1))
        world.leave(other, 0)
        world.join(other, [0])
        world.run(.milliseconds(200))
        world.join(other, [1])
        world.run(.seconds(2))
        world.send("s", "again", by: 0, in: other)
        world.send("t", "here", by: 1, in: other)
        world.run(.milliseconds(200))
        #expect(world.text("s", in: other, at: 1) == "again")
        #expect(world.text("t", in: other, at: 0) == "here")
        world.expectSound()
    }

    /// Regression: sessions that changed in the same step were written as another conversation's.
    @Test func conversationsMoveWithinAStep() throws {
        var puppet = Puppet(table: other)
        puppet.handle(.joined(table.record(number: 2, role: .writer, device: puppet.nodeDevice)))
        for round in UInt64(0)..<3 {
            let body = MessageBody(
                session: SessionUUID(session: "s\(round)"),
                place: 0,
                sentAt: 0
            )
            let request = AuthorRequest(
                request: RequestID(round),
                conversation: 2,
                body: body
            )
            let third = SimulatedConversation(3)
            let record = third.record(number: 9, role: .relay, device: puppet.nodeDevice)
            puppet.handle([
                .authored([request]), round == 1 ? .left(conversation: 1) : .joined(record),
            ])
        }
        #expect(puppet.disk.problems.isEmpty)
        #expect(puppet.disk.rows.values.map(\.conversation) == [2, 2, 2])
        #expect(puppet.machine.conversations.map(\.number) == [2, 9])
    }

    @Test func incompatibleVersionIsRefused() {
        var puppet = Puppet()
        puppet.open()
        puppet.send(
            .hello(
                Hello(
                    wireVersions: 3...9,
                    software: "later",
                    deviceName: "peer",
                    processNonce: 1
                )
            )
        )
        #expect(puppet.refusals == [.incompatible(3...9)])
        #expect(puppet.goodbye == .incompatible)
        #expect(puppet.count(.hello) == 1, "the hello is said also when refusing")
        #expect(puppet.count(.conversations) == 0)
    }

    @Test func silentStrangerIsClosedAfterFiveSeconds() {
        var puppet = Puppet()
        puppet.open()
        puppet.pass(.milliseconds(4_999))
        #expect(puppet.goodbye == nil)
        puppet.pass(.milliseconds(2))
        #expect(puppet.goodbye == .silent)
    }

    /// A stranger learns the hello and nothing that tells of a conversation.
    @Test func strangerLearnsNothing() {
        var puppet = Puppet()
        puppet.open()
        puppet.send(puppet.hello)
        puppet.send(puppet.tags(for: other))
        #expect(puppet.count(.conversations) == 1)
        #expect(puppet.count(.feed) == 0)
        let tags = puppet.frames.compactMap { frame in
            if case .conversations(let list) = frame { list.tags.count } else { nil }
        }
        #expect(tags == [8], "padded")
        let before = puppet.writes.count
        puppet.pass(.seconds(6))
        #expect(puppet.goodbye == .nothingShared)
        #expect(puppet.writes.count == before, "no durable state changed")
    }

    /// A crash of the peer is noticed by its new process; the old link makes way.
    @Test func restartedPeerReplacesItsOldLink() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.seconds(12))
        world.cut(0, 1)
        world.run(.milliseconds(10))
        world.crash(1)
        world.uncut()
        world.start(1)
        world.run(.seconds(3))
        #expect(world.nodes[0].machine?.links.count == 1)
        #expect(duplicates(in: world) == 0)
        world.send("s", "x", by: 0, in: table)
        world.run(.milliseconds(100))
        #expect(world.text("s", in: table, at: 1) == "x")
    }

    /// How often the first node was told of a node with its own identity.
    private func duplicates(in world: World) -> Int {
        world.nodes[0].person.deliveries.count {
            if case .duplicateIdentity = $0 { true } else { false }
        }
    }
}
