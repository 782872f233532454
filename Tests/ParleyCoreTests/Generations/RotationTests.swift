import ParleyCore
import ParleyFaults
import Testing

/// Changed keys between nodes: who stays goes on, and who is out reads and writes nothing new.
@Suite struct RotationTests {
    /// Nodes of which the first one has created a conversation, and let the others in, in order.
    private static func room(
        _ roles: [Capability.Role],
        _ settings: WorldSettings = WorldSettings()
    ) -> (world: World, table: SimulatedConversation) {
        let world = World(nodes: roles.count, settings)
        let creator = world.nodes[0].crypto.devicePublicKey
        let table = SimulatedConversation(1, creator: creator)
        for (node, role) in roles.enumerated() {
            world.join(table, [node], as: role)
            world.run(.seconds(4))
        }
        return (world, table)
    }

    private static func generations(_ world: World, _ table: SimulatedConversation, at node: Int)
        -> Generations?
    {
        world.nodes[node].state(of: table)?.generations
    }

    private static func standing(_ world: World, _ table: SimulatedConversation, at node: Int)
        -> Generations.Standing?
    {
        world.nodes[node].state(of: table)?.standing
    }

    /// Programs hear of whoever is let in, also at a node that does it later, by a card that came
    /// through a relay.
    @Test func eachAdmissionIsTold() {
        let world = World(nodes: 4)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        world.cut(1, 3)
        for (node, role) in [Capability.Role.writer, .writer, .relay, .writer].enumerated() {
            if node == 3 { world.stop(0) }
            world.join(table, [node], as: role)
            world.run(.seconds(4))
        }
        var untold = 0
        for _ in 0..<1_800 where Self.admissions(world, table, at: 1).count < 2 {
            let before = Self.admissions(world, table, at: 1)
            world.run(.seconds(1))
            let after = Self.admissions(world, table, at: 1)
            if before.count < after.count, before.told == after.told { untold += 1 }
        }
        #expect(Self.admissions(world, table, at: 1).count == 2 && untold == 0)
    }

    /// The admissions that a node knows, and how often it told programs of new ones.
    private static func admissions(_ world: World, _ table: SimulatedConversation, at node: Int)
        -> (count: Int, told: Int)
    {
        let number = world.number(of: table, at: node)
        let table = number.flatMap { world.nodes[node].machine?.members[$0] }
        let told = world.nodes[node].person.deliveries.count {
            if case .admissions = $0 { true } else { false }
        }
        return (table?.count ?? 0, told)
    }

    /// Regression: a node whose disk had lost the birth showed no message until its next start.
    @Test(arguments: 0..<3)
    func aLostRecordHidesNothingOnceItIsBack(_ number: Int) throws {
        let (world, table) = Self.room([.writer, .writer])
        table.rotate(in: world, by: 0, without: [])
        world.run(.seconds(5))
        for node in 0...1 { world.send("s\(node)", "x", by: node, in: table) }
        world.run(.seconds(5))
        let current = try #require(Self.generations(world, table, at: 1)?.current)
        world.stop(1)
        world.nodes[1].disk.lose([.birth, .generation(current), .secret(current)][number])
        world.start(1)
        world.run(.seconds(5))
        for session in ["s0", "s1"] {
            let tag = try #require(world.tag(session, in: table))
            #expect(world.nodes[1].state(of: table)?.sessionUUID(tag) != nil, "\(session)")
        }
        world.expectSound()
    }

    /// Nobody needs the boxes of a generation that has a child on the line.
    @Test func onlyTheCurrentGenerationKeepsItsBoxes() throws {
        let (world, table) = Self.room([.writer, .writer])
        for _ in 0..<2 {
            table.rotate(in: world, by: 0)
            world.run(.seconds(5))
        }
        for node in 0...1 {
            let found = try #require(Self.generations(world, table, at: node))
            #expect(found.line.map { found.generations[$0]?.boxes != nil } == [false, true])
        }
    }

    @Test func whoIsThrownOutReadsAndWritesNothingNew() {
        let (world, table) = Self.room([.writer, .writer, .writer])
        world.send("a", "before", by: 2, in: table)
        world.run(.seconds(5))
        table.rotate(in: world, by: 0, without: [2])
        world.run(.seconds(5))
        world.send("b", "after", by: 1, in: table)
        let refused = world.send("c", "from outside", by: 2, in: table)
        world.run(.seconds(60))

        #expect(Self.standing(world, table, at: 1) == .member)
        #expect(Self.standing(world, table, at: 2) == .out)
        #expect(world.answer(refused) == .notMember(.out))
        #expect(world.texts("a", in: table) == ["before", "before", "before"])
        #expect(world.texts("b", in: table) == ["after", "after", nil])
        #expect(world.problems == [])
    }

    /// Else the others would take a device for away until its next card, minutes later.
    @Test func whoStaysShowsANewCardAtOnce() {
        let (world, table) = Self.room([.writer, .writer, .writer])
        func card() -> UInt64? {
            let number = world.number(of: table, at: 0)
            let cards = number.flatMap { world.nodes[0].machine?.members.cards[$0] }
            return cards?.held[world.nodes[1].device]?.card.number
        }
        let before = card()
        table.rotate(in: world, by: 0, without: [2])
        world.run(.seconds(5))
        #expect(before.flatMap { before in card().map { before < $0 } } == true)
    }

    @Test func sessionsGoOnUnderTheNewKeys() {
        let (world, table) = Self.room([.writer, .writer, .writer])
        world.send("a", "one", by: 1, in: table)
        world.run(.seconds(5))
        table.rotate(in: world, by: 0, without: [2])
        world.run(.seconds(5))
        world.send("a", "two", by: 1, in: table)
        world.run(.seconds(5))

        #expect(world.texts("a", in: table) == ["two", "two", "one"])
        let view = world.view("a", in: table, at: 0)
        #expect(view?.heads.count == 1, "the later message replaced the earlier one")
    }

    @Test func readersAndRelaysGetTheirKeys() {
        let (world, table) = Self.room([.writer, .reader, .relay, .writer])
        table.rotate(in: world, by: 0, without: [3])
        world.run(.seconds(10))
        world.send("a", "new", by: 0, in: table)
        world.run(.seconds(10))

        for node in 0...2 { #expect(Self.standing(world, table, at: node) == .member) }
        #expect(world.texts("a", in: table)[1] == "new")
        #expect(world.nodes[2].state(of: table)?.sessionCount == 1)
        #expect(world.nodes[2].state(of: table)?.role == .relay)
    }

    @Test(arguments: [false, true]) func whoWasAwayComesBack(hasRelayOnly: Bool) {
        let (world, table) = Self.room([.writer, .writer, .relay, .writer])
        world.stop(1)
        world.run(.seconds(2))
        table.rotate(in: world, by: 0, without: [3])
        world.run(.seconds(5))
        table.rotate(in: world, by: 0)
        world.run(.seconds(5))
        world.send("a", "while away", by: 0, in: table)
        world.run(.seconds(10))
        if hasRelayOnly { world.stop(0) }
        world.run(.seconds(2))
        world.start(1)
        world.run(.seconds(60))

        #expect(Self.standing(world, table, at: 1) == .member)
        #expect(Self.generations(world, table, at: 1)?.number == 3)
        #expect(world.text("a", in: table, at: 1) == "while away")
    }

    /// Regression: on a link that another conversation shares, the records were taken for those of
    /// that conversation.
    @Test func whoWasAwayGetsTheKeysBesideAnotherConversation() {
        let (world, table) = Self.room([.writer, .writer, .writer])
        let other = SimulatedConversation(2, name: "other")
        world.join(other, [0, 1])
        world.run(.seconds(5))
        world.stop(1)
        world.run(.seconds(2))
        table.rotate(in: world, by: 0, without: [2])
        world.run(.seconds(5))
        world.start(1)
        world.run(.seconds(30))
        world.send("a", "new", by: 0, in: table)
        world.run(.seconds(10))

        #expect(Self.standing(world, table, at: 1) == .member)
        #expect(world.text("a", in: table, at: 1) == "new")
    }

    /// Regression: a former member that is announced was dialled every few seconds, as was one that
    /// had left.
    @Test(arguments: [false, true], [false, true])
    func whoSharesNothingAnyMoreIsDialledRarely(leaves: Bool, hasRestarted: Bool) {
        let world = World(nodes: 2, areStrangers: true)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        for node in 0...1 {
            world.introduce(node, to: 1 - node, source: .discovered)
            world.join(table, [node], as: .writer)
            world.run(.seconds(4))
        }
        if leaves { world.leave(table, 1) } else { table.rotate(in: world, by: 0, without: [1]) }
        world.run(.seconds(10))
        if hasRestarted {
            for node in 0...1 { world.crash(node) }
            world.run(.seconds(1))
            for node in 0...1 { world.start(node) }
        }
        world.run(.seconds(600))
        let before = world.trace.count(.hello)
        world.run(.seconds(600))
        let count = world.trace.count(.hello) - before
        #expect(count <= 20, "\(count)")
    }

    @Test func whoWasThrownOutWhileAwayLearnsIt() {
        let (world, table) = Self.room([.writer, .writer, .writer])
        world.stop(2)
        world.run(.seconds(2))
        table.rotate(in: world, by: 1, without: [2])
        world.run(.seconds(5))
        world.start(2)
        world.run(.seconds(60))

        #expect(Self.standing(world, table, at: 2) == .out)
        let answer = world.send("a", "old copy", by: 2, in: table)
        world.run(.seconds(5))
        #expect(world.answer(answer) == .notMember(.out))
    }

    /// Node 2 writes for node 1 alone, and is thrown out by node 0 before these two meet again.
    private static func throwOutWhile(
        _ world: World,
        _ table: SimulatedConversation,
        only text: String
    ) {
        world.isolate([0])
        world.run(.seconds(10))
        world.send("a", text, by: 2, in: table)
        world.run(.seconds(5))
        table.rotate(in: world, by: 0, without: [2])
        world.run(.seconds(5))
        world.stop(2)
        world.heal()
        world.run(.seconds(90))
    }

    /// What only a member had of somebody who is out, it vouches for.
    @Test func nothingThatAMemberHadIsLost() {
        let (world, table) = Self.room([.writer, .writer, .writer])
        Self.throwOutWhile(world, table, only: "only two have it")

        #expect(Self.standing(world, table, at: 1) == .member)
        #expect(world.text("a", in: table, at: 0) == "only two have it")
        #expect(world.text("a", in: table, at: 1) == "only two have it")
    }

    /// A relay lets go of what only it had of somebody who is out.
    @Test func aRelayLetsGoOfWhatNobodyVouchesFor() {
        let (world, table) = Self.room([.writer, .relay, .writer])
        Self.throwOutWhile(world, table, only: "only a relay has it")

        #expect(Self.standing(world, table, at: 1) == .member)
        #expect(world.text("a", in: table, at: 0) == nil)
        #expect(world.nodes[1].state(of: table)?.sessions.first?.heads.isEmpty ?? true)
        world.crash(1)
        world.start(1)
        world.run(.seconds(10))
        #expect(world.problems == [])
    }

    // MARK: Two at once

    @Test func ofTwoWhoThrowEachOtherOutTheHigherStays() {
        let (world, table) = Self.room([.writer, .writer, .writer])
        world.isolate([1])
        world.run(.seconds(10))
        table.rotate(in: world, by: 1, without: [0])
        table.rotate(in: world, by: 0, without: [1])
        world.run(.seconds(5))
        world.heal()
        world.run(.seconds(90))

        #expect(Self.standing(world, table, at: 0) == .member)
        #expect(Self.standing(world, table, at: 1) == .out)
        #expect(Self.standing(world, table, at: 2) == .member)
    }

    /// Regression: what a member wrote under keys that lost to others was unreadable for all who
    /// had not adopted them, though the record lists them.
    ///
    /// With the next change of keys, who joins later reads that as well.
    @Test func whatWasWrittenUnderLosingKeysIsRead() throws {
        let (world, table) = Self.room([.writer, .writer, .writer, .reader])
        for other in 1...3 { world.cut(0, other) }
        world.run(.seconds(60))
        table.rotate(in: world, by: 0, without: [3])
        table.rotate(in: world, by: 1)
        world.run(.seconds(5))
        world.send("a", "late", by: 2, in: table)
        world.run(.seconds(5))
        world.heal()
        world.run(.seconds(60))
        world.send("b", "after", by: 2, in: table)
        world.run(.seconds(10))
        #expect(world.texts("a", in: table) == Array(repeating: "late", count: 4))
        #expect(world.texts("b", in: table) == ["after", "after", "after", nil])
        for node in 0...2 { world.crash(node) }
        world.run(.seconds(1))
        for node in 0...2 { world.start(node) }
        world.run(.seconds(10))
        #expect(world.texts("a", in: table).prefix(3) == ["late", "late", "late"])
        table.rotate(in: world, by: 2)
        world.run(.seconds(10))
        world.leave(table, 3)
        world.run(.seconds(5))
        try Self.join(3, by: 0, world, table)
        world.run(.seconds(30))
        #expect(world.texts("a", in: table) == ["late", "late", "late", "late"])
        let before = Self.generations(world, table, at: 0)?.number ?? 0
        table.rotate(in: world, by: 3)
        world.run(.seconds(10))
        #expect(Self.generations(world, table, at: 0)?.number == before + 1, "it has a rank")
        #expect(world.problems == [])
    }

    /// Regression: a removal that was made again left out the readers and relays that had shown
    /// their roles under the keys that lost.
    @Test(arguments: [1, 2]) func aRemovalThatIsMadeAgainKeepsReadersAndRelays(changes: Int) {
        let (world, table) = Self.room([.writer, .writer, .writer, .reader, .relay])
        for other in 1...4 { world.cut(0, other) }
        world.run(.seconds(60))
        table.rotate(in: world, by: 0)
        for _ in 0..<changes {
            table.rotate(in: world, by: 1, without: [2])
            world.run(.seconds(30))
        }
        world.heal()
        world.run(.seconds(60))
        #expect(Self.standing(world, table, at: 2) == .out)
        for node in [0, 1, 3, 4] { #expect(Self.standing(world, table, at: node) == .member) }
        world.send("a", "after", by: 0, in: table)
        world.run(.seconds(10))
        #expect(world.texts("a", in: table) == ["after", "after", nil, "after", nil])
        #expect(world.problems == [])
    }

    /// The removal of a change that lost is made again by its author's node.
    @Test func aRemovalThatLostIsMadeAgain() {
        let (world, table) = Self.room([.writer, .writer, .writer, .writer])
        world.isolate([1])
        world.run(.seconds(10))
        table.rotate(in: world, by: 1, without: [3])
        table.rotate(in: world, by: 0, without: [2])
        world.run(.seconds(5))
        world.heal()
        world.run(.seconds(90))

        let lines = [0, 1].map { Self.generations(world, table, at: $0)?.line }
        #expect(lines[0] == lines[1] && lines[0]?.count == 2)
        #expect(Self.standing(world, table, at: 2) == .out)
        #expect(Self.standing(world, table, at: 3) == .out)
    }

    /// Who stands higher cannot be thrown out against its will, even later.
    @Test func aHigherOneUndoes() {
        let (world, table) = Self.room([.writer, .writer, .writer])
        table.rotate(in: world, by: 1, without: [0])
        world.run(.seconds(10))
        #expect(Self.standing(world, table, at: 0) == .out)
        table.rotate(in: world, by: 0, without: [1])
        world.run(.seconds(60))

        #expect(Self.standing(world, table, at: 0) == .member)
        #expect(Self.standing(world, table, at: 1) == .out)
        #expect(Self.standing(world, table, at: 2) == .member)
        world.send("a", "ours again", by: 0, in: table)
        world.run(.seconds(10))
        #expect(world.text("a", in: table, at: 2) == "ours again")
    }

    /// A lower one that is out cannot answer with a generation of its own.
    @Test func aLowerOneCannotAnswer() {
        let (world, table) = Self.room([.writer, .writer, .writer])
        table.rotate(in: world, by: 1, without: [2])
        world.run(.seconds(10))
        table.rotate(in: world, by: 2, without: [1])
        world.run(.seconds(30))

        #expect(Self.standing(world, table, at: 1) == .member)
        #expect(Self.standing(world, table, at: 2) == .out)
        #expect(Self.generations(world, table, at: 0)?.generations.count == 1)
    }

    // MARK: Disks

    @Test func newKeysAreThereAfterACrash() {
        let (world, table) = Self.room([.writer, .writer, .writer])
        world.send("a", "before", by: 1, in: table)
        world.run(.seconds(5))
        table.rotate(in: world, by: 0, without: [2])
        world.run(.seconds(5))
        world.send("b", "after", by: 0, in: table)
        world.run(.seconds(5))
        for node in [0, 1] {
            world.crash(node)
            world.start(node)
        }
        world.run(.seconds(20))
        world.send("c", "again", by: 1, in: table)
        world.run(.seconds(10))

        #expect(world.texts("a", in: table) == ["before", "before", "before"])
        #expect(world.texts("b", in: table) == ["after", "after", nil])
        #expect(world.texts("c", in: table) == ["again", "again", nil])
        #expect(world.problems == [])
    }

    /// A node joins with the current keys of another one.
    private static func join(
        _ node: Int,
        by other: Int,
        _ world: World,
        _ table: SimulatedConversation
    ) throws {
        let current = try #require(world.nodes[other].state(of: table)?.record.capability)
        let seed = try #require(current.writerSeed)
        let crypto = world.nodes[node].crypto
        let record = ConversationRecord(
            number: world.nodes[node].disk.nextConversation(),
            id: table.id,
            name: "again",
            isOpen: false,
            capability: current,
            certificate: crypto.sign(
                world.nodes[node].device.certifiedBytes.span.bytes,
                bySeed: Capability.writeSeed(seed, using: crypto)
            )
        )
        world.input(.joined(record), to: node)
    }

    /// Who is let in again writes under another origin, and the old one stays out.
    @Test func whoComesBackHasTheNewKeys() throws {
        let (world, table) = Self.room([.writer, .writer, .writer])
        table.rotate(in: world, by: 0, without: [2])
        world.run(.seconds(10))
        world.leave(table, 2)
        world.run(.seconds(5))
        try Self.join(2, by: 0, world, table)
        world.run(.seconds(30))
        #expect(Self.standing(world, table, at: 2) == .member)
        world.send("a", "I am back", by: 2, in: table)
        world.run(.seconds(10))
        #expect(world.texts("a", in: table) == ["I am back", "I am back", "I am back"])
    }
}
