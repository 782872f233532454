import ParleyCore
import ParleyFaults
import Testing

/// A node that was away gets each envelope from one of the members that have it.
@Suite struct EachSessionOnceTests {
    private let table = SimulatedConversation(1)

    /// A world of three to five members whose links come up in any order; a node is linked to all
    /// others directly or by the first one.
    private func world(_ random: inout SeededRandom) -> World {
        var settings = WorldSettings()
        settings.seed = random.next()
        settings.wireDelay = 500...40_000
        let world = World(nodes: Int.random(in: 3...5, using: &random), settings)
        for one in 1..<world.nodes.count {
            for other in 1..<one where Int.random(in: 0..<4, using: &random) == 0 {
                world.cut(one, other)
            }
        }
        return world
    }

    /// Writes the next message of some sessions, each by one of these nodes.
    private func write(
        _ text: String,
        by nodes: [Int],
        _ world: World,
        _ random: inout SeededRandom
    ) {
        for session in 0..<40 where Bool.random(using: &random) {
            let author = nodes[Int(random.next() % UInt64(nodes.count))]
            world.send("s\(session)", text, by: author, in: table)
        }
        world.settle()
    }

    /// Without faults while the links come up, no envelope arrives twice anywhere: not at the node
    /// that was away, and not at those that get from it what it wrote meanwhile.
    @Test(arguments: 0..<UInt64(200))
    func noEnvelopeArrivesTwice(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let world = world(&random)
        let nodes = Array(world.nodes.indices)
        world.join(table, nodes)
        world.run(.seconds(2))
        write("before", by: nodes, world, &random)
        let absent = Int(random.next() % UInt64(nodes.count))
        let others = nodes.filter { $0 != absent }
        world.stop(absent)
        world.run(.milliseconds(500))
        write("meanwhile", by: others, world, &random)
        if Bool.random(using: &random) {
            // It writes as well, before it is linked again.
            for other in others { world.cut(absent, other) }
            world.start(absent)
            for session in 40..<60 { world.send("s\(session)", "away", by: absent, in: table) }
            world.run(.seconds(2))
        }
        let before = world.trace.crossings.count
        if world.nodes[absent].machine == nil { world.start(absent) }
        for other in others
        where absent == 0 || other == 0 || !world.network.canReach(absent, other) {
            world.mend(absent, other)
            world.run(.milliseconds(Int64(random.next() % 61)))
        }
        world.run(.seconds(5))
        world.expectEqualHeads(of: table)
        let crossings = world.trace.crossings.dropFirst(before)
        #expect(!crossings.isEmpty)
        let arrivals = Set(crossings.map { Arrival(node: $0.to, digest: $0.digest) })
        #expect(arrivals.count == crossings.count, "seed \(seed)")
        world.settle()
        world.expectSound()
    }

    private struct Arrival: Hashable {
        let node: Int
        let digest: Bytes32
    }
}
