import ParleyCore
import ParleyFaults
import Testing

/// A store that takes no new sessions takes replacements, and says that it is full.
@Suite struct FullStoreTests {
    private let table = SimulatedConversation(1)

    /// Regression: a full peer confirms nothing, and replacements waited for its word for ever.
    @Test func fullStoreTakesReplacements() {
        var limits = Limits()
        limits.quota.device.heads = 3
        let world = World(nodes: 2)
        world.restart(1, limits)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        for number in 0..<6 {
            world.send("s\(number)", "1", by: 0, in: table)
            world.run(.milliseconds(50))
        }
        #expect(world.text("s2", in: table, at: 1) == "1")
        #expect(world.view("s3", in: table, at: 1) == nil)
        for round in 2...5 {
            for number in 0..<6 { world.send("s\(number)", "\(round)", by: 0, in: table) }
            world.run(.milliseconds(100))
        }
        #expect(world.text("s0", in: table, at: 1) == "5")
        #expect(world.text("s2", in: table, at: 1) == "5")
        world.send("t", "of another device", by: 1, in: table)
        world.run(.milliseconds(100))
        #expect(world.text("t", in: table, at: 0) == "of another device")
        world.checkCursors()
        world.expectSound()
    }

    /// Regression: an envelope that one peer announced and another pushed was dropped for want of
    /// capacity, and the position of the peer that had announced it was confirmed all the same.
    @Test func whatWasAnnouncedIsHeldAsWell() throws {
        var puppet = Puppet(table: table)
        let third = SimulatedCryptography(seed: 3)
        let author = SimulatedAuthor(crypto: third, table: table)
        puppet.meetAndSync()
        puppet.meet(third, on: LinkID(2))
        puppet.begin(on: LinkID(2))
        puppet.send(author.originFrame, on: LinkID(2))
        puppet.handle(.storeBlocked(true))
        let envelope = author.envelope(author.header("s", 1), session: "s", text: "new")
        let entry = try #require(author.entry(envelope, position: 5))
        puppet.send(.have(HaveList(conversation: 0, entries: [entry])))
        puppet.send(author.frame(envelope, position: 1), on: LinkID(2))
        puppet.handle(.storeBlocked(false))
        puppet.pass(.seconds(2))
        #expect(puppet.session?.register.heads.isEmpty ?? true)
        #expect(puppet.storedPosition == 0)
        #expect(puppet.goodbye == .other, "it starts over from its cursor")
    }

    /// Regression: who made new epochs filled the disks of all others, as the limit was one of an
    /// origin.
    ///
    /// An envelope that was left out arrives once there is capacity, and is told once.
    @Test func epochsAndDevicesShareAConversation() {
        var limits = Limits()
        limits.quota.device.heads = 3
        limits.quota.conversation.heads = 5
        let world = World(nodes: 3)
        world.restart(2, limits)
        world.join(table, [0, 1, 2])
        world.run(.milliseconds(500))
        for round in 0..<3 {
            for number in 0..<2 {
                world.send("s\(round) \(number)", "1", by: 0, in: table)
                world.run(.milliseconds(20))
            }
            world.stop(0)
            world.nodes[0].disk.forgetEpoch()
            world.start(0)
            world.run(.seconds(1))
        }
        #expect(world.agreement.heads(of: table.id, at: 2).count == 3, "of one device")
        for number in 0..<3 { world.send("t\(number)", "1", by: 1, in: table) }
        world.run(.milliseconds(500))
        #expect(world.agreement.heads(of: table.id, at: 2).count == 5, "of all")
        let refused = world.send("mine", "1", by: 2, in: table)
        world.send("t0", "2", by: 2, in: table)
        world.run(.milliseconds(500))
        let full = AuthorAnswer.conversationFull(.conversation, limit: limits.quota.conversation)
        #expect(world.answer(refused) == full)
        #expect(world.text("t0", in: table, at: 0) == "2", "a session that is here goes on")
        let told = world.nodes[2].person.deliveries.filter {
            if case .full = $0 { true } else { false }
        }
        #expect(told.count == 1)
        world.restart(2, Limits())
        world.settle()
        #expect(world.agreement.heads(of: table.id, at: 2).count == 9)
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// Capacity that comes back while the node runs ends the links that were held.
    @Test func capacityThatComesBackIsUsed() throws {
        var limits = Limits()
        limits.quota.conversation.heads = 3
        var puppet = Puppet(table: table, limits: limits)
        let author = SimulatedAuthor(crypto: puppet.peer, table: table)
        var other = SimulatedAuthor(crypto: SimulatedCryptography(seed: 3), table: table)
        other.epoch = Epoch(9)
        puppet.meetAndSync()
        puppet.send(author.originFrame)
        puppet.send(other.originFrame)
        let first = author.envelope(author.header("s", 1), session: "s", text: "1")
        let beside = other.envelope(other.header("s", 1), session: "s", text: "2")
        for (number, envelope) in [first, beside].enumerated() {
            puppet.send(author.frame(envelope, position: UInt64(number) + 1))
        }
        for (number, session) in ["t", "u"].enumerated() {
            let header = author.header(session, UInt64(number) + 2)
            let envelope = author.envelope(header, session: session, text: "1")
            puppet.send(author.frame(envelope, position: UInt64(number) + 3))
        }
        #expect(puppet.storedPosition == 3)
        #expect(puppet.goodbye == nil)
        let header = author.header("s", 4, revision: 2, context: [other.dot(1)])
        let both = author.envelope(header, session: "s", text: "both")
        puppet.send(author.frame(both, position: 5))
        #expect(puppet.machine.conversations.first?.kept.heads == 2)
        #expect(puppet.goodbye == .other, "the next link brings what was left out")
    }

    /// A node that is full as a whole refuses its own new messages and holds those of others, and a
    /// conversation that it leaves makes capacity for what it left out of another one.
    @Test func allConversationsShareANode() {
        var limits = Limits()
        limits.allConversations.heads = 8
        let other = SimulatedConversation(2)
        let world = World(nodes: 2)
        world.restart(1, limits)
        world.join(table, [0, 1])
        world.join(other, [0, 1])
        world.run(.milliseconds(500))
        for number in 0..<7 {
            world.send("s\(number)", "1", by: 0, in: table)
            world.run(.milliseconds(20))
        }
        for number in 0..<3 {
            world.send("t\(number)", "1", by: 0, in: other)
            world.run(.milliseconds(20))
        }
        #expect(world.texts("t0", in: other) == ["1", "1"])
        #expect(world.view("t1", in: other, at: 1) == nil)
        let refused = world.send("mine", "1", by: 1, in: table)
        world.run(.milliseconds(500))
        let full = AuthorAnswer.conversationFull(
            .allConversations,
            limit: limits.allConversations
        )
        #expect(world.answer(refused) == full)
        #expect(world.nodes[1].machine?.conversations.map(\.shortage) == [nil, .allConversations])
        world.leave(table, 1)
        world.run(.seconds(3))
        #expect(world.texts("t2", in: other) == ["1", "1"])
        world.settle()
        world.expectEqualHeads(of: other)
        world.expectSound()
    }

    /// After the disk has space again, all envelopes that were left out arrive.
    @Test func everythingComesOnceThereIsRoom() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        world.send("old", "1", by: 0, in: table)
        world.run(.milliseconds(100))
        world.stopCommitting(1)
        world.input(.storeBlocked(true), to: 1)
        world.send("old", "2", by: 0, in: table)
        world.send("new", "1", by: 0, in: table)
        world.run(.seconds(2))
        #expect(world.view("new", in: table, at: 1) == nil)
        let refused = world.send("mine", "1", by: 1, in: table)
        #expect(world.answer(refused) == .storeFull)
        world.resumeCommitting(1)
        world.run(.milliseconds(10))
        world.input(.storeBlocked(false), to: 1)
        world.run(.seconds(3))
        #expect(world.texts("new", in: table) == ["1", "1"])
        #expect(world.texts("old", in: table) == ["2", "2"])
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }
}
