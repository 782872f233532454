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

    /// The devices of which the author of a session's message has heard.
    private static func heard(
        _ session: String,
        by node: Int,
        _ world: World,
        _ table: SimulatedConversation
    ) -> Int? {
        guard let tag = world.tag(session, in: table),
            let machine = world.nodes[node].machine,
            let number = world.number(of: table, at: node),
            let head = machine.conversation(number)?.session(tag)?.heads.first
        else { return nil }
        return machine.author.receipts.count(of: head.dot, in: number)
    }

    @Test func whoStaysIsCountedAndWhoIsOutIsNot() {
        let (world, table) = Self.room([.writer, .reader, .relay, .writer, .writer])
        world.send("a", "before", by: 0, in: table)
        world.run(.seconds(5))
        #expect(Self.heard("a", by: 0, world, table) == 3)
        table.rotate(in: world, by: 0, without: [4])
        world.run(.seconds(5))
        world.send("b", "after", by: 0, in: table)
        world.run(.seconds(15))
        #expect(Self.heard("b", by: 0, world, table) == 2)
        #expect(world.problems == [])
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
        #expect(Self.heard("a", by: 0, world, table) == 2)
        #expect(world.problems == [])
    }
}
