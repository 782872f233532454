import Foundation
import ParleyCore
import ParleyFaults
import Testing

/// Many nodes in one conversation: each keeps few links, everybody is reached over these, and what
/// is lost with nodes or links comes another way.
@Suite struct PartialMeshTests {
    private static let table = SimulatedConversation(1)

    @Test(arguments: [9, 13, 33, 64])
    func fewLinksReachEverybody(nodes: Int) { thirdGoesAndComesBack(of: nodes) }

    /// The same with more nodes than one has slots: a minute of processor time and more.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PARLEY_TEST_LARGE_MESH"] != nil))
    func moreNodesThanSlots() { thirdGoesAndComesBack(of: 128) }

    /// Every third node loses its power without a word, and comes back.
    private func thirdGoesAndComesBack(of nodes: Int) {
        let world = Self.settled(nodes)
        Self.expectFewLinks(world)
        Self.expectSpread("before", by: nodes / 2, in: world)

        let gone = Array(stride(from: 1, to: nodes, by: 3))
        for node in gone { world.crash(node, losesPower: true) }
        Self.expectSpread("while they go", by: 0, in: world)
        // Their announcements expire.
        for node in gone { world.withdraw(node) }
        world.run(.seconds(10))
        Self.expectFewLinks(world)
        Self.expectSpread("while they are away", by: 3, in: world)

        for node in gone { world.startAnnounced(node) }
        world.run(.seconds(2))
        #expect(gone.allSatisfy { Self.text("while they are away", in: world, at: $0) != nil })
        Self.expectSpread("when they are back", by: gone[0], in: world)
        world.run(.seconds(nodes > 64 ? 40 : 15))
        Self.expectFewLinks(world)
        world.expectSound()
    }

    /// Regression: a node whose source and ring neighbours were gone heard of a message after
    /// 3.5 s, and one that had only links to nodes that were gone after 5.5 s.
    @Test(arguments: [
        Drawing(nodes: 10, seeds: 10), Drawing(nodes: 11, seeds: 10),
        Drawing(nodes: 16, seeds: 6), Drawing(nodes: 24, seeds: 4),
        Drawing(nodes: 32, seeds: 2), Drawing(nodes: 48, seeds: 1),
    ])
    func anyThirdMayGo(of drawing: Drawing) {
        let nodes = drawing.nodes
        for seed in 1...drawing.seeds {
            let world = Self.settled(nodes, seed: UInt64(seed))
            for round in 0..<2 {
                for node in 0..<nodes {
                    world.send("settling \(round) \(node)", "x", by: node, in: Self.table)
                    world.run(.milliseconds(100))
                }
            }
            world.run(.seconds(5))
            var random = SeededRandom(seed: UInt64(seed * 1_000 + nodes))
            let order = Array((0..<nodes).shuffled(using: &random))
            for node in order.prefix(nodes / 3) { world.crash(node, losesPower: true) }
            let author = order.dropFirst(nodes / 3).min() ?? 0
            // An author without a link that answers needs a second to notice.
            let isAlone = Self.peers(of: author, in: world).isDisjoint(with: Self.running(world))
            Self.expectSpread("seed \(seed)", by: author, in: world, within: isAlone ? 3 : 2)
        }
    }

    struct Drawing: Sendable {
        let nodes: Int
        /// How many thirds are drawn.
        let seeds: Int
    }

    /// A third of the nodes come and go all the time.
    @Test func membersThatComeAndGo() {
        let world = Self.settled(64)
        var random = SeededRandom(seed: 3)
        for round in 0..<12 {
            let node = 2 + 3 * Int.random(in: 0..<20, using: &random)
            if world.nodes[node].isRunning {
                random.chance(1, in: 2) ? world.stop(node) : world.crash(node)
                world.withdraw(node)
            } else {
                world.startAnnounced(node)
            }
            world.run(.milliseconds(500))
            Self.expectSpread("round \(round)", by: 3 * (round % 20), in: world)
        }
        for node in world.nodes.indices where !world.nodes[node].isRunning {
            world.startAnnounced(node)
        }
        world.run(.seconds(20))
        Self.expectFewLinks(world)
        Self.expectSpread("at last", by: 2, in: world)
        world.expectSound()
    }

    /// Nodes that join a conversation later find the others, to which they have no links.
    @Test func aFurtherConversationIsFound() {
        let world = Self.settled(32)
        let other = SimulatedConversation(2)
        let members = [0, 7, 13, 22, 31]
        for node in members {
            world.join(other, [node])
            world.run(.seconds(1))
        }
        world.run(.seconds(10))
        world.send("aside", "x", by: 7, in: other)
        world.run(.seconds(1))
        for node in members { #expect(world.text("aside", in: other, at: node) == "x") }
        for node in members {
            let shared = world.nodes[node].machine?.links.count { $0.conversations.count == 2 }
            #expect(shared == members.count - 1, "few share it, so all of them are linked")
        }
        Self.expectFewLinks(world, 16)
    }

    // MARK: Worlds

    /// Nodes that have met, and let go of the links that they do not need.
    private static func settled(_ nodes: Int, seed: UInt64 = 1) -> World {
        var settings = WorldSettings()
        settings.seed = seed
        settings.wireDelay = 200...1_000
        settings.cutsBytes = false
        settings.remembers = false
        return World(settled: nodes, in: table, settings)
    }

    private static func text(_ session: String, in world: World, at node: Int) -> String? {
        world.text(session, in: table, at: node)
    }

    /// Every running node has a message within some seconds.
    private static func expectSpread(
        _ session: String,
        by author: Int,
        in world: World,
        within seconds: Int64 = 2,
        _ location: SourceLocation = #_sourceLocation
    ) {
        world.send(session, "x", by: author, in: table)
        world.run(.seconds(seconds))
        let lacking = world.nodes.indices.filter {
            world.nodes[$0].isRunning && text(session, in: world, at: $0) == nil
        }
        #expect(lacking == [], "\(session)", sourceLocation: location)
    }

    private static func running(_ world: World) -> [Int] {
        world.nodes.indices.filter { world.nodes[$0].isRunning }
    }

    /// The nodes to which a node has links that answer, as far as it knows.
    private static func peers(of node: Int, in world: World) -> Set<Int> {
        let devices = world.nodes[node].machine?.links.filter(\.isLive).map(\.device) ?? []
        return Set(world.nodes.indices.filter { devices.contains(world.nodes[$0].device) })
    }

    /// No running node has more links than it needs and a few, or than `linksMax`, and they
    /// connect all.
    private static func expectFewLinks(
        _ world: World,
        _ linksMax: Int? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let running = Self.running(world)
        var peers: [Int: Set<Int>] = [:]
        for node in running {
            peers[node] = Self.peers(of: node, in: world).intersection(running)
        }
        let counts = peers.values.map(\.count).sorted()
        let linksMax = linksMax ?? (running.count < 32 ? 6 : 12)
        #expect(counts.last ?? 0 <= linksMax, "\(counts)", sourceLocation: location)
        var found = Set(running.prefix(1))
        var front = Array(found)
        while let node = front.popLast() {
            for peer in peers[node] ?? [] where found.insert(peer).inserted { front.append(peer) }
        }
        #expect(found.count == running.count, "connected", sourceLocation: location)
    }
}

extension World {
    /// A node is not announced any more.
    fileprivate func withdraw(_ node: Int) {
        for other in nodes.indices where other != node {
            input(.addressLost("node-\(nodes[node].name)"), to: other)
        }
    }

    /// Starts a node, and announces it.
    fileprivate func startAnnounced(_ node: Int) {
        start(node)
        let found = FoundAddress(text: "node-\(nodes[node].name)", source: .configured)
        for other in nodes.indices where other != node { input(.addressFound(found), to: other) }
    }

    fileprivate func expectSound(_ location: SourceLocation = #_sourceLocation) {
        let faults = problems + nodes.flatMap(\.disk.problems)
        #expect(faults == [], sourceLocation: location)
    }
}
