import ParleyCore
import ParleyFaults
import Testing

/// How many frames a message costs in a settled mesh, one receipt of each node among them: every
/// node has written before.
///
/// Up to 8 nodes have links to all others, larger meshes are partial.
@Suite struct MeshTrafficTests {
    private let table = SimulatedConversation(1)

    /// A message every `pause`, from one node after the other.
    @Test(arguments: [
        Load(nodes: 8, pause: .seconds(1), framesMax: 48),
        Load(nodes: 8, pause: .seconds(20), framesMax: 48),
        Load(nodes: 9, pause: .seconds(1), framesMax: 45),
        Load(nodes: 9, pause: .seconds(20), framesMax: 45),
        Load(nodes: 10, pause: .seconds(1), framesMax: 50),
        Load(nodes: 10, pause: .seconds(20), framesMax: 50),
        Load(nodes: 11, pause: .seconds(1), framesMax: 55),
        Load(nodes: 11, pause: .seconds(20), framesMax: 55),
        Load(nodes: 12, pause: .seconds(1), framesMax: 60),
        Load(nodes: 12, pause: .seconds(20), framesMax: 60),
        Load(nodes: 13, pause: .seconds(1), framesMax: 65),
        Load(nodes: 13, pause: .seconds(20), framesMax: 65),
        Load(nodes: 16, pause: .seconds(1), framesMax: 80),
        Load(nodes: 16, pause: .seconds(20), framesMax: 80),
        Load(nodes: 32, pause: .seconds(1), framesMax: 160),
        Load(nodes: 33, pause: .seconds(20), framesMax: 165),
        Load(nodes: 64, pause: .seconds(1), framesMax: 320),
        Load(nodes: 64, pause: .seconds(60), framesMax: 325),
    ])
    func messageCostsFewFrames(_ load: Load) {
        let messages = load.nodes > 32 ? 20 : 60
        let traffic = MeshTraffic(nodes: load.nodes, messages: messages, pause: load.pause)
        #expect(traffic.framesPerMessage <= Double(load.framesMax), "\(traffic)")
    }

    /// A link that is cut without a word is noticed, and what was lost with it comes on another
    /// one.
    @Test(arguments: [1, 4, 7])
    func whatALostLinkShouldBringComesSoon(lost: Int) {
        let world = World(nodes: 8)
        world.join(table, Array(0..<8))
        world.run(.seconds(2))
        for node in 0..<8 {
            world.send("settling \(node)", "x", by: node, in: table)
            world.run(.seconds(1))
        }
        world.run(.seconds(10))
        world.cut(0, lost)
        world.send("s", "x", by: 0, in: table)
        world.run(.milliseconds(1_500))
        #expect(world.text("s", in: table, at: lost) == "x")
    }

    struct Load: Sendable {
        let nodes: Int
        let pause: Interval
        let framesMax: Int
    }
}
