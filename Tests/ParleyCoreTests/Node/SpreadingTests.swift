import ParleyCore
import ParleyFaults
import Testing

/// How envelopes spread: who pushes, who announces, and how often something crosses a link.
@Suite struct SpreadingTests {
    private let table = SimulatedConversation(1)

    /// The author pushes; the others push to one another once and learn to announce.
    @Test func fullMeshLearnsToAnnounce() throws {
        let world = World(nodes: 3)
        world.join(table, [0, 1, 2])
        world.run(.milliseconds(500))
        world.send("s0", "first", by: 0, in: table)
        world.run(.milliseconds(500))
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            #expect(world.trace.crossings(between: one, other).count <= 2)
        }
        let before = world.trace.crossings.count
        for number in 1...20 {
            world.send("s\(number)", "later", by: 0, in: table)
            world.run(.milliseconds(200))
        }
        let later = world.trace.crossings.dropFirst(before)
        #expect(later.count == 40, "each once from its author to each of the two others")
        #expect(later.allSatisfy { $0.from == 0 })
        world.settle()
        world.expectEqualHeads(of: table)
        #expect(world.texts("s20", in: table) == ["later", "later", "later"])
        world.expectSound()
    }

    @Test func lineForwards() {
        let world = World(nodes: 3)
        world.cut(0, 2)
        world.join(table, [0, 1, 2])
        world.run(.milliseconds(500))
        world.send("s", "along the line", by: 0, in: table)
        world.run(.milliseconds(30))
        #expect(world.text("s", in: table, at: 2) == "along the line")
        world.send("s", "and back", by: 2, in: table)
        world.run(.milliseconds(30))
        #expect(world.text("s", in: table, at: 0) == "and back")
        #expect(world.trace.crossings.count == 4)
        world.expectSound()
    }

    @Test func starReachesEight() {
        let world = World(nodes: 9)
        for one in 1..<9 { for other in 1..<one { world.cut(one, other) } }
        world.join(table, Array(0..<9))
        world.run(.milliseconds(1_000))
        for number in 0..<10 { world.send("s\(number)", "x", by: 1 + number % 8, in: table) }
        world.run(.milliseconds(100))
        world.expectEqualHeads(of: table)
        #expect(world.trace.crossings.count == 80)
        world.expectSound()
    }
}
