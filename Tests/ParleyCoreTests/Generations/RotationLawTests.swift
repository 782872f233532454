import ParleyCore
import ParleyFaults
import Testing

/// The laws of changed keys, over histories with partitions, crashes, and several who change keys
/// and throw each other out, by chance.
@Suite(.timeLimit(.minutes(10))) struct RotationLawTests {
    /// A history of five writers, a reader and a relay.
    private struct History {
        let world: World
        let table: SimulatedConversation
        private let roles: [Capability.Role] = [
            .writer, .writer, .writer, .writer, .writer, .reader, .relay,
        ]
        private var random: SeededRandom
        /// The requests of messages, with the sessions and texts.
        private(set) var sent: [(request: RequestID, node: Int, session: String, text: String)] = []

        init(seed: UInt64) {
            random = SeededRandom(seed: seed &* 104_729 &+ 7)
            var settings = WorldSettings()
            settings.seed = seed
            world = World(nodes: roles.count, settings)
            table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
            for (node, role) in roles.enumerated() {
                world.join(table, [node], as: role)
                world.run(.seconds(3))
            }
        }

        mutating func play() {
            for _ in 0..<Int.random(in: 10...30, using: &random) {
                act()
                world.run(.milliseconds(Int64.random(in: 0...3_000, using: &random)))
            }
            world.heal(keepsBytes: random.chance(1, in: 2))
            for node in world.nodes.indices { world.start(node) }
            world.run(.seconds(150))
        }

        private mutating func act() {
            let node = Int.random(in: 0..<roles.count, using: &random)
            let writer = node % 5
            switch Int.random(in: 0..<16, using: &random) {
            case 0...6:
                let session = "s\(Int.random(in: 0..<3, using: &random))"
                let text = "\(sent.count)"
                guard world.nodes[writer].isRunning else { return }
                let request = world.send(session, text, by: writer, in: table)
                sent.append((request, writer, session, text))
            case 7: table.rotate(in: world, by: writer)
            case 8, 9:
                let other = Int.random(in: 0..<roles.count, using: &random)
                if other != writer { table.rotate(in: world, by: writer, without: [other]) }
            case 10: world.isolate([node])
            case 11: world.cut(node, (node + 1) % roles.count)
            case 12: world.heal(keepsBytes: random.chance(1, in: 2))
            case 13: world.crash(node)
            default: for node in world.nodes.indices { world.start(node) }
            }
        }

        func state(_ node: Int) -> Conversation? { world.nodes[node].state(of: table) }

        /// The nodes that are members at the end.
        var members: [Int] {
            world.nodes.indices.filter { state($0)?.standing == .member }
        }
    }

    @Test(arguments: 0..<UInt64(60)) func theLawsHold(seed: UInt64) {
        var history = History(seed: seed)
        history.play()
        let members = history.members
        let states = members.compactMap(history.state)
        #expect(history.world.problems == [])

        // One line: all have the same current generation, the devices that are out included.
        let lines = Set(
            history.world.nodes.indices.compactMap { history.state($0)?.generations.line }
        )
        #expect(lines.count == 1, "the lines differ")
        guard lines.count == 1, let first = states.first else { return }

        // Nobody lacks keys that it should have.
        for node in history.world.nodes.indices {
            let standing = history.state(node)?.standing
            #expect(standing == .member || standing == .out, "node \(node)")
        }

        // Agree: all members have the same heads.
        for (node, state) in zip(members, states) {
            let tags = Set(first.sessions.map(\.tag)).union(state.sessions.map(\.tag))
            for tag in tags {
                let heads = first.session(tag).map { Array($0.register.heads) } ?? []
                let others = state.session(tag).map { Array($0.register.heads) } ?? []
                #expect(heads == others, "node \(node)")
            }
        }

        // Kept: what a member was told to be stored is a head, or replaced by one.
        for message in history.sent where members.contains(message.node) {
            guard case .stored(let stored)? = history.world.answer(message.request),
                let tag = history.world.tag(message.session, in: history.table)
            else { continue }
            let isKept = first.session(tag)?.register.heads.contains {
                $0.dot == stored.dot || $0.hasInContext(stored.dot)
                    || $0.dot.origin == stored.dot.origin && $0.dot.sequence > stored.dot.sequence
            }
            #expect(isKept == true, "\(message.text) of node \(message.node) is lost")
        }

        // Deaf: who is not in a generation has no secret of it.
        for node in history.world.nodes.indices {
            guard let state = history.state(node) else { continue }
            let listing = history.world.nodes[node].device
                .listing(
                    in: history.table.id,
                    as: state.role,
                    using: history.world.nodes[node].crypto
                )
            for id in state.generations.secrets.keys {
                let record = state.generations.generations[id]?.record
                #expect(record?.lists(listing) == true, "node \(node) has keys of others")
            }
        }
    }
}
