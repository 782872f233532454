import ParleyCore
import ParleyFaults
import Testing

/// A device that was lost, or linked at a bad moment.
@Suite struct LostDeviceTests {
    private static func room(_ nodes: Int) -> (world: World, table: SimulatedConversation) {
        let world = World(nodes: nodes + 1)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        for node in 0..<nodes {
            world.join(table, [node])
            world.run(.seconds(4))
        }
        return (world, table)
    }

    private static func standings(
        _ world: World,
        _ table: SimulatedConversation
    ) -> [Generations.Standing?] {
        world.nodes.indices.map { world.nodes[$0].state(of: table)?.standing }
    }

    /// Hostile case 41: a second device of Xan's gets the keys while others throw Xan out.
    ///
    /// Nobody who changes the keys knows the device, so it is out as well. What it wrote for a
    /// member in its partition stays.
    @Test(arguments: [false, true]) func whoIsLinkedMeanwhileIsOutAsWell(meetsMember: Bool) {
        let (world, table) = Self.room(3)
        world.isolate(meetsMember ? [1, 2, 3] : [2, 3])
        world.run(.seconds(10))
        table.rotate(in: world, by: 0, without: [2])
        world.join(table, [3])
        world.run(.seconds(10))
        world.send("a", "from the second device", by: 3, in: table)
        world.run(.seconds(10))
        world.heal()
        world.run(.seconds(90))

        #expect(Self.standings(world, table) == [.member, .member, .out, .out])
        let text = meetsMember ? "from the second device" : nil
        #expect(world.text("a", in: table, at: 0) == text)
        #expect(world.text("a", in: table, at: 1) == text)
        let state = world.nodes[0].state(of: table)
        let members = state.map {
            world.nodes[0].machine?.members.list($0, world.nodes[0].crypto).map(\.device) ?? []
        }
        #expect(members.map(Set.init) == Set([0, 1].map { world.nodes[$0].device }))
        #expect(world.problems == [])
    }

    /// Hostile case 41: whoever changes the keys knows the second device already, and it stays.
    @Test func whoIsKnownStays() {
        let (world, table) = Self.room(3)
        world.join(table, [3])
        world.run(.seconds(10))
        table.rotate(in: world, by: 0, without: [2])
        world.run(.seconds(30))
        #expect(Self.standings(world, table) == [.member, .member, .out, .member])
    }

    /// Hostile case 42: the lost device is the lower one, and throws its person's other one out,
    /// which undoes that.
    @Test(arguments: [false, true]) func theHigherDeviceUndoes(isApart: Bool) {
        let (world, table) = Self.room(3)
        if isApart { world.isolate([1]) }
        world.run(.seconds(10))
        table.rotate(in: world, by: 2, without: [1])
        world.run(.seconds(20))
        table.rotate(in: world, by: 1, without: [2])
        world.heal()
        world.run(.seconds(90))
        #expect(Self.standings(world, table).prefix(3) == [.member, .member, .out])
        world.send("a", "mine again", by: 1, in: table)
        world.run(.seconds(10))
        #expect(world.text("a", in: table, at: 0) == "mine again")
    }

    /// Hostile case 42: the lost device is the higher one.
    ///
    /// Its person cannot undo that. Whoever stands higher throws it out, and the person needs
    /// another invite.
    @Test func theLowerDeviceNeedsHelp() {
        let (world, table) = Self.room(3)
        table.rotate(in: world, by: 1, without: [2])
        world.run(.seconds(20))
        table.rotate(in: world, by: 2, without: [1])
        world.run(.seconds(20))
        #expect(Self.standings(world, table).prefix(3) == [.member, .member, .out])
        table.rotate(in: world, by: 0, without: [1])
        world.run(.seconds(30))
        #expect(Self.standings(world, table).prefix(3) == [.member, .out, .out])
    }
}
