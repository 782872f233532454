import ParleyCore
import ParleyFaults
import Testing

/// Links that have come as far in a feed get the same frames, and those that have not get theirs.
@Suite struct LevelLinksTests {
    private let table = SimulatedConversation(1)

    /// Envelopes that arrive together are passed on together, once to each peer.
    @Test func batchCrossesEachLinkOnce() {
        let world = star(leaves: 8)
        world.send(drafts("s", 300), by: 1, in: table)
        world.run(.milliseconds(500))
        world.expectEqualHeads(of: table)
        #expect(world.trace.crossings.count == 300 * 8)
        world.expectSound()
    }

    /// A link gets nothing of what came over it, though the others get both parts as one.
    @Test func batchesOfTwoAuthorsMeet() {
        let world = star(leaves: 4)
        world.send(drafts("s", 100), by: 1, in: table)
        world.send(drafts("t", 100), by: 2, in: table)
        world.run(.milliseconds(500))
        world.expectEqualHeads(of: table)
        #expect(world.trace.crossings.count == 2 * 100 * 4)
        world.expectSound()
    }

    /// A reader that stops and goes on gets each session once, the latest only.
    @Test func readerThatStoppedGetsItsOwnPart() {
        var settings = WorldSettings()
        settings.limits.outboxBytes = 32 << 10
        let world = star(leaves: 4, settings)
        world.stopReading(4)
        for round in 0..<5 {
            world.send(drafts("s", 200, "round \(round)"), by: 1, in: table)
            world.run(.milliseconds(100))
        }
        #expect(world.text("s199", in: table, at: 3)?.hasPrefix("round 4") == true)
        let before = world.trace.crossings.count
        world.resumeReading(4)
        world.run(.seconds(2))
        let late = world.trace.crossings.dropFirst(before).filter { $0.to == 4 }
        #expect(late.count <= 200, "what was replaced meanwhile is not sent")
        #expect(Set(late.map(\.dot)).count == late.count)
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// A member that grants little credit is served in small parts; the others do not wait for it.
    @Test func littleCreditSlowsNobodyElse() {
        let world = star(leaves: 4)
        var limits = Limits()
        limits.commitQueueBytes = 0
        world.restart(4, limits)
        world.run(.seconds(2))
        world.send(drafts("s", 400, String(repeating: "y", count: 1_000)), by: 1, in: table)
        world.run(.milliseconds(60))
        #expect(world.text("s399", in: table, at: 3) != nil)
        world.run(.seconds(5))
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    private func star(leaves: Int, _ settings: WorldSettings = WorldSettings()) -> World {
        let world = World(nodes: leaves + 1, settings)
        for one in 1...leaves { for other in 1..<one { world.cut(one, other) } }
        world.join(table, Array(0...leaves))
        world.run(.seconds(1))
        return world
    }

    private func drafts(_ name: String, _ count: Int, _ text: String = "") -> [World.Draft] {
        (0..<count).map { number in
            World.Draft(
                session: "\(name)\(number)",
                text: text + String(repeating: "x", count: 300)
            )
        }
    }
}
