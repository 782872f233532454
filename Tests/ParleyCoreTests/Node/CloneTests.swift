import ParleyCore
import ParleyFaults
import Testing

/// Two processes with one identity: noticed, said, and never one dot for two envelopes for long.
@Suite struct CloneTests {
    private let table = SimulatedConversation(1)

    /// Node 0, a copy of it, and a third node.
    private func cloned(cutFromOneAnother: Bool) -> World {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        world.send("s", "original", by: 0, in: table)
        world.settle()
        let clone = world.addClone(of: 0)
        if cutFromOneAnother { world.cut(0, clone) }
        world.introduce(clone, to: 0)
        world.introduce(clone, to: 1)
        world.start(clone)
        return world
    }

    @Test func duplicatesThatMeetTakeNewEpochs() throws {
        let world = cloned(cutFromOneAnother: false)
        let before = try #require(world.nodes[1].machine).epoch
        let old = try #require(world.nodes[0].disk.epoch)
        world.run(.seconds(5))
        for node in [0, 2] {
            #expect(world.nodes[node].disk.epoch != old)
            #expect(duplicates(at: node, in: world) == 1)
        }
        #expect(world.nodes[0].disk.epoch != world.nodes[2].disk.epoch)
        #expect(duplicates(at: 1, in: world) >= 1, "a third node sees both answer")
        #expect(world.nodes[1].machine?.epoch == before)
        for node in 0..<3 { world.send("t\(node)", "from \(node)", by: node, in: table) }
        world.settle()
        for node in 0..<3 {
            #expect(Set(world.texts("t\(node)", in: table)) == ["from \(node)"])
        }
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// A copy that writes unnoticed: the original learns of it from a dot that it did not issue.
    @Test func unknownDotOfOursGivesANewEpoch() throws {
        let world = cloned(cutFromOneAnother: true)
        world.run(.seconds(3))
        let old = try #require(world.nodes[0].machine).epoch
        world.send("t", "by the clone", by: 2, in: table)
        world.run(.seconds(2))
        #expect(world.nodes[0].machine?.epoch != old)
        world.send("t", "by the original", by: 0, in: table)
        world.settle()
        #expect(world.texts("t", in: table) == Array(repeating: "by the original", count: 3))
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    private func duplicates(at node: Int, in world: World) -> Int {
        world.nodes[node].person.deliveries.count {
            if case .duplicateIdentity = $0 { true } else { false }
        }
    }
}
