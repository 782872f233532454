import ParleyCore
import ParleyFaults
import Testing

/// Receipts go on when the keys of a conversation change.
@Suite struct ReceiptRotationTests {
    /// Nodes of which the first one has created a conversation, and let the others in, in order.
    private static func room(_ roles: [Capability.Role]) -> (World, SimulatedConversation) {
        let world = World(nodes: roles.count)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        for (node, role) in roles.enumerated() {
            world.join(table, [node], as: role)
            world.run(.seconds(4))
        }
        return (world, table)
    }

    @Test func whoStaysIsCountedAndWhoIsOutIsNot() {
        let (world, table) = Self.room([.writer, .reader, .relay, .writer, .writer])
        world.send("a", "before", by: 0, in: table)
        world.run(.seconds(5))
        #expect(world.heard("a", by: 0, in: table) == 3)
        table.rotate(in: world, by: 0, without: [4])
        world.run(.seconds(5))
        world.send("b", "after", by: 0, in: table)
        world.run(.seconds(15))
        #expect(world.heard("b", by: 0, in: table) == 2)
        #expect(world.problems == [])
    }

    /// Regression: after a backup was restored, peers ignored a device's cards for days, as their
    /// numbers were lower, and counters of seals were used twice.
    @Test func aRestoredBackupGoesOnWithHigherNumbers() throws {
        let (world, table) = Self.room([.writer, .writer])
        world.run(.seconds(10))
        var backup = world.nodes[1].disk
        for restart in 0..<3 {
            world.stop(1)
            world.start(1)
            world.send("a\(restart)", "text", by: 0, in: table)
            world.run(.seconds(600))
        }
        world.stop(1)
        world.run(.seconds(1))
        backup.forgetEpoch()
        world.nodes[1].disk = backup
        let before = try #require(Self.card(of: 1, in: world, table)?.card.number)
        world.start(1)
        world.send("b", "text", by: 0, in: table)
        world.run(.seconds(20))
        #expect(world.heard("b", by: 0, in: table) == 1)
        #expect(try #require(Self.card(of: 1, in: world, table)?.card.number) > before)
    }

    private static func card(
        of node: Int,
        in world: World,
        _ table: SimulatedConversation
    ) -> CardTable.Held? {
        let number = world.number(of: table, at: 0)
        return number.flatMap { world.nodes[0].machine?.members.cards[$0].held }?[
            world.nodes[node].device
        ]
    }

    /// Regression: seals were kept under the keys of before, and nothing was reported again.
    @Test(arguments: [0, 1], [0, 15, 40, 300])
    func aReceiptAndNewKeysMayCross(away: Int, milliseconds: Int64) {
        let (world, table) = Self.room([.writer, .writer, .writer])
        world.send("a", "text", by: 0, in: table)
        world.run(.milliseconds(milliseconds))
        for other in 0...2 where other != away { world.cut(away, other) }
        table.rotate(in: world, by: 2)
        world.run(.seconds(40))
        for other in 0...2 where other != away { world.mend(away, other) }
        world.run(.seconds(120))
        #expect(world.heard("a", by: 0, in: table) == 2)
        #expect(world.problems == [])
    }
}
