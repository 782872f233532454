import ParleyCore
import ParleyFaults
import Testing

/// A crash at any moment loses nothing that was acknowledged, and no dot is used twice.
@Suite(.timeLimit(.minutes(20))) struct CrashTests {
    private let table = SimulatedConversation(1)

    /// Two nodes answer one another; `crash` says which step of which node is the last before it
    /// crashes and starts again.
    private func play(crash: (node: Int, steps: Int)?) -> World {
        let world = World(nodes: 2)
        if let crash { world.crash(crash.node, afterSteps: crash.steps) }
        world.join(table, [0, 1])
        revive(world)
        for number in 0..<6 {
            world.run(.milliseconds(60))
            revive(world)
            var draft = World.Draft(session: "s\(number % 2)", text: "\(number)")
            if number == 3 {
                let bytes = Slice([UInt8](repeating: 7, count: 9_000))
                draft.picture = InlinePicture(type: "image/png", bytes: bytes)
            }
            world.send([draft], by: number % 2, in: table)
            revive(world)
        }
        world.run(.milliseconds(500))
        revive(world)
        world.settle()
        return world
    }

    /// Starts who has crashed, and lets it join again what is not on its disk.
    private func revive(_ world: World) {
        for node in 0..<2 where !world.nodes[node].isRunning {
            world.start(node)
            if world.number(of: table, at: node) == nil { world.join(table, [node]) }
            world.run(.milliseconds(300))
        }
    }

    @Test(arguments: [0, 1])
    func everyStepMayBeTheLast(node: Int) throws {
        let count = play(crash: nil).figures.steps
        #expect(count > 80)
        var crashes = 0
        for last in 0..<count {
            let world = play(crash: (node, last))
            guard world.nodes[node].process == 2 else { continue }
            crashes += 1
            let faults = world.faults()
            #expect(faults.isEmpty, "crash of \(node) after step \(last): \(faults)")
            #expect(
                world.heads(of: table, at: 0) == world.heads(of: table, at: 1),
                "crash of \(node) after step \(last)"
            )
            for other in 0..<2 {
                let lost = world.lost(at: other, acknowledgedBy: [0, 1]).map(\.dot)
                #expect(lost == [], "crash of \(node) after step \(last): lost at \(other)")
            }
            let equivocations = world.nodes[1 - node].person.deliveries.count { delivery in
                if case .equivocation = delivery { true } else { false }
            }
            #expect(equivocations == 0, "crash of \(node) after step \(last)")
        }
        #expect(crashes > 30)
    }

    /// Sequences go on after the reserved block, whatever of it was used.
    @Test func dotsAreNotUsedTwice() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.milliseconds(200))
        for round in 0..<8 {
            world.send("s", "\(round)", by: 0, in: table)
            world.run(.milliseconds(round % 2 == 0 ? 1 : 100))
            world.crash(0)
            world.start(0)
            world.run(.milliseconds(300))
        }
        let sequences = world.trace.crossings.filter { $0.from == 0 }.map(\.dot.sequence)
        #expect(Set(sequences).count >= 4)
        #expect(sequences == sequences.sorted())
        for dot in Set(world.trace.crossings.map(\.dot)) {
            let digests = Set(world.trace.crossings.filter { $0.dot == dot }.map(\.digest))
            #expect(digests.count == 1, "two envelopes \(dot)")
        }
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }
}
