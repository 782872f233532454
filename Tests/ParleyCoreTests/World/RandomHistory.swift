import ParleyCore
import ParleyFaults

/// A world to which things happen that follow from a seed.
struct RandomHistory {
    let world: World
    let tables = [SimulatedConversation(1, name: "one"), SimulatedConversation(2, name: "two")]
    private var random: SeededRandom
    private let actions: Int
    private var messages = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed &* 7_919 &+ 13)
        var settings = WorldSettings()
        settings.seed = seed
        settings.wireDelay = 200...Int64.random(in: 201...20_000, using: &random)
        settings.commitDelay = 500...Int64.random(in: 501...30_000, using: &random)
        if random.chance(1, in: 3) { settings.limits.cacheBytes = 2_000 }
        if random.chance(1, in: 4) { settings.limits.outboxBytes = 600 }
        actions = Int.random(in: 20...60, using: &random)
        world = World(nodes: Int.random(in: 3...5, using: &random), settings)
        world.join(tables[0], Array(world.nodes.indices))
        world.run(.milliseconds(Int64.random(in: 0...400, using: &random)))
    }

    mutating func play() {
        for _ in 0..<actions {
            act()
            let pause = random.chance(1, in: 8) ? 4_000 : Int64(200)
            world.run(.milliseconds(Int64.random(in: 0...pause, using: &random)))
            world.checkCursors()
        }
        world.heal(keepsBytes: random.chance(1, in: 2))
        for node in world.nodes.indices {
            world.start(node)
            world.resumeReading(node)
            world.resumeCommitting(node)
        }
        world.run(.seconds(20))
        world.settle()
        world.checkCursors()
        world.checkAcknowledged()
    }

    private mutating func anyNode() -> Int {
        Int.random(in: world.nodes.indices, using: &random)
    }

    private mutating func act() {
        let node = anyNode()
        switch Int.random(in: 0..<20, using: &random) {
        case 0...8: send(by: node)
        case 9: world.cut(node, (node + 1) % world.nodes.count)
        case 10: world.isolate([node])
        case 11: world.heal(keepsBytes: random.chance(1, in: 2))
        case 12:
            world.crash(node)
            world.run(.milliseconds(Int64.random(in: 0...500, using: &random)))
            if random.chance(2, in: 3) { world.start(node) }
        case 13: world.stop(node)
        case 14, 15: for node in world.nodes.indices { world.start(node) }
        case 16: world.resetWires(node, (node + 1) % world.nodes.count)
        case 17:
            let role = Capability.Role.allCases.randomElement(using: &random) ?? .writer
            if world.number(of: tables[1], at: node) == nil {
                world.join(tables[1], [node], as: role)
            } else if random.chance(1, in: 2) {
                world.leave(tables[1], node)
            }
        case 18:
            world.nodes[node].sockets.isReading
                ? world.stopReading(node) : world.resumeReading(node)
        default:
            world.nodes[node].commits.isStalled
                ? world.resumeCommitting(node) : world.stopCommitting(node)
        }
    }

    private mutating func send(by node: Int) {
        let count = random.chance(1, in: 4) ? Int.random(in: 2...6, using: &random) : 1
        let drafts = (0..<count).map { _ in
            messages += 1
            let size = random.chance(1, in: 5) ? 2_000 : 0
            var draft = World.Draft(
                session: "s\(Int.random(in: 0..<5, using: &random))",
                text: "\(messages)" + String(repeating: ".", count: size)
            )
            if random.chance(1, in: 12) {
                let bytes = random.bytes(Int.random(in: 9_000...12_000, using: &random))
                draft.picture = InlinePicture(type: "image/png", bytes: Slice(bytes))
            }
            return draft
        }
        let table = tables[random.chance(1, in: 5) ? 1 : 0]
        world.send(drafts, by: node, in: table)
    }

    // MARK: The end

    func disagreements() -> [String] {
        tables.flatMap { table in
            let members = world.nodes.indices.filter { world.number(of: table, at: $0) != nil }
            let heads = members.map { world.heads(of: table, at: $0) }
            guard let first = heads.first else { return [String]() }
            return zip(members, heads).filter { $0.1 != first }.map {
                "\(table.name): \(world.nodes[$0.0].name) differs from "
                    + world.nodes[members[0]].name
            }
        }
    }

    /// Blobs that a head lists and that are not complete on every member's disk.
    func missingBlobs() -> [String] {
        world.nodes.indices.flatMap { node in
            world.nodes[node].disk.rows.values.flatMap { row in
                row.heads.compactMap { $0.envelope }.flatMap { bytes in
                    (try? Envelope(decoding: bytes))?.header.blobs ?? []
                }
            }.filter { world.nodes[node].disk.blobs[$0.id]?.isComplete != true }.map {
                "\(world.nodes[node].name) lacks blob \($0.id.hex.prefix(6))"
            }
        }
    }

    func losses() -> [String] {
        let all = Array(world.nodes.indices)
        return all.flatMap { node in
            world.lost(at: node, acknowledgedBy: all).map {
                "\(world.nodes[node].name) lacks \(world.word($0.dot))"
            }
        }
    }
}
