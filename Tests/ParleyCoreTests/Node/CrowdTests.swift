import ParleyCore
import ParleyFaults
import Testing

/// More nodes than one has slots: everybody takes part, and there is quiet once all have.
@Suite(.timeLimit(.minutes(20))) struct CrowdTests {
    private let table = SimulatedConversation(1)

    /// Regression: 65 nodes had all links among them, and whoever came later was turned away by
    /// all, several times a second.
    @Test(arguments: [
        Crowd(nodes: 70, slots: 64, late: 5, evictedMax: 200, length: .seconds(20)),
        Crowd(nodes: 10, slots: 8, late: 0, evictedMax: 20),
        Crowd(nodes: 10, slots: 8, late: 1, evictedMax: 5),
        Crowd(nodes: 12, slots: 8, late: 3, evictedMax: 30),
        Crowd(nodes: 24, slots: 8, late: 12, evictedMax: 150),
        Crowd(nodes: 12, slots: 8, late: 3, areSilent: true, evictedMax: 40),
    ])
    func everybodyTakesPart(_ crowd: Crowd) {
        let world = World(crowd.settings)
        for _ in 0..<crowd.nodes { world.addNode() }
        world.introduceAll()
        let early = Array(0..<crowd.nodes - crowd.late)
        world.start(early, in: table)
        world.expectLinks(of: early, within: .seconds(5))
        if !crowd.areSilent { world.send("first", "before", by: 0, in: table) }
        world.run(.seconds(10))
        let late = Array(early.count..<crowd.nodes)
        world.start(late, in: table)
        world.expectLinks(of: late, within: .seconds(5))
        world.run(.seconds(5))
        // In a full mesh the work for one message grows with the square of the crowd.
        let senders = stride(from: 0, to: crowd.nodes, by: max(1, crowd.nodes / 10))
        for node in senders {
            world.send("of \(node)", "to all", by: node, in: table)
            world.run(.milliseconds(20))
        }
        world.run(.seconds(5))
        world.expectEqualHeads(of: table)
        for node in senders {
            let texts = world.texts("of \(node)", in: table)
            #expect(texts == Array(repeating: "to all", count: crowd.nodes))
        }
        // Links that are not needed are let go, and others take their slots until all have met.
        var evicted = -1
        for _ in 0..<20 where evicted != world.evicted {
            evicted = world.evicted
            world.run(.seconds(60))
        }
        world.run(crowd.length)
        #expect(world.evicted == evicted, "nobody loses a slot when nothing changes")
        #expect(evicted <= crowd.evictedMax)
        #expect(world.turnedAway <= crowd.turnedAwayMax)
        #expect(world.lonely == [])
        world.expectSound()
    }

    /// Nodes of which some come later, when all slots are taken.
    struct Crowd: Sendable {
        let nodes: Int
        let slots: Int
        let late: Int
        /// Whether nobody has anything to deliver until all are there.
        var areSilent = false
        /// How many links may be replaced until everybody has found a slot.
        let evictedMax: Int
        /// How long they are watched when nothing changes any more.
        var length = Interval.seconds(600)

        var settings: WorldSettings {
            var settings = WorldSettings()
            settings.limits.links = slots
            // Without it, thousands of frames arrive at the same moment.
            settings.wireDelay = 500...2_000
            return settings
        }

        /// The limit of answers that there is no slot.
        ///
        /// Each node that comes late and each other one may ask one another twice at once, and six
        /// times in ten minutes.
        var turnedAwayMax: Int { max(late, nodes - 1 - slots) * nodes * 8 }
    }

    /// Ten nodes that can reach only one, which has eight slots, take turns.
    @Test func nodesTakeTurnsWhereOnlyOneIsReachable() {
        var settings = WorldSettings()
        settings.limits.links = 8
        let world = World(settings)
        for _ in 0...10 { world.addNode() }
        for one in 1...10 {
            world.introduce(one, to: 0)
            for other in 1..<one { world.cut(one, other) }
        }
        world.start(Array(0...10), in: table)
        for node in 1...10 { world.send("of \(node)", "to all", by: node, in: table) }
        let all = Array(repeating: "to all", count: 11)
        var lacking = Array(1...10)
        while !lacking.isEmpty, world.now < .start + .seconds(900) {
            world.run(.seconds(10))
            lacking = lacking.filter { world.texts("of \($0)", in: table) != all }
        }
        #expect(lacking.isEmpty)
        let before = world.evicted
        world.run(.seconds(1_200))
        #expect(world.evicted - before <= 40, "two wait at a time, up to five minutes each")
        world.expectSound()
    }
}

extension World {
    fileprivate func start(_ nodes: [Int], in conversation: SimulatedConversation) {
        for node in nodes { start(node) }
        join(conversation, nodes)
    }

    /// The nodes without a link to a member.
    fileprivate var lonely: [String] {
        nodes.filter { $0.machine?.links.all.memberCount == 0 }.map(\.name)
    }

    /// Each of the nodes has a link to a member at some time before `limit` has passed.
    fileprivate func expectLinks(
        of newcomers: [Int],
        within limit: Interval,
        _ location: SourceLocation = #_sourceLocation
    ) {
        var waiting = Set(newcomers)
        let end = now + limit
        while !waiting.isEmpty, now < end {
            run(.milliseconds(50))
            waiting = waiting.filter { nodes[$0].machine?.links.all.memberCount == 0 }
        }
        #expect(waiting.isEmpty, sourceLocation: location)
    }

    /// How often a node ended a link because there was no slot.
    private func ended(_ text: String) -> Int {
        nodes.indices.reduce(0) { sum, node in
            sum + nodes[node].person.closeCauses.count { $0 == .said(.busy, text) }
        }
    }

    /// How often a newcomer was turned away.
    fileprivate var turnedAway: Int { ended("as many links as there may be") }

    /// How often a link had to give its slot to another one.
    fileprivate var evicted: Int { ended("another member needs the place") }
}
