import ParleyCore
import ParleyFaults
import Testing

/// A store that takes no new sessions takes replacements, and says that it is full.
@Suite struct FullStoreTests {
    private let table = SimulatedConversation(1)

    /// Regression: a full peer confirms nothing, and replacements waited for its word for ever.
    @Test func fullStoreTakesReplacements() {
        var limits = Limits()
        limits.sessionsPerOrigin = 3
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
        world.send("t", "of another origin", by: 1, in: table)
        world.run(.milliseconds(100))
        #expect(world.text("t", in: table, at: 0) == "of another origin")
        world.checkCursors()
        world.expectSound()
    }

    /// Regression: an envelope that one peer told and another pushed was dropped for want of
    /// capacity, and the position of the peer that had announced it was confirmed all the same.
    @Test func whatWasToldIsHeldAsWell() throws {
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
