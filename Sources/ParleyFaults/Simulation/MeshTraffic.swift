package import ParleyCore

/// The frames that messages cost in a settled mesh, by their kinds.
///
/// Each node has links and has written before. Then the nodes write in turn. The frames that an
/// idle mesh sends as well are counted apart.
package struct MeshTraffic: Sendable, CustomStringConvertible {
    package let nodes: Int
    package let messages: Int
    package let pause: Interval
    /// The links of all nodes; each counts once.
    package let links: Int
    /// Frames of each kind, without those of an idle mesh.
    package let frames: [(type: FrameType, count: Int)]
    /// Pings, pongs, audits and cards, and the frames at the start and end of links.
    package let idleFrames: Int

    private static let idle: [FrameType] = [
        .ping, .pong, .audit, .hello, .goodbye, .conversations, .feed, .peers, .spare, .origin,
        .credit, .signal, .members,
    ]
    private static let all = FrameType.allCases.filter { !idle.contains($0) }

    /// Lets `nodes` nodes write `messages` messages, one every `pause`.
    package init(nodes: Int, messages: Int, pause: Interval) {
        self.nodes = nodes
        self.messages = messages
        self.pause = pause
        let table = SimulatedConversation(1)
        let world = World(settled: nodes, in: table)
        for round in 0..<2 {
            for node in 0..<nodes {
                world.send("settling \(round) \(node)", "x", by: node, in: table)
                world.run(.milliseconds(500))
            }
        }
        world.run(.seconds(40))
        let before = Self.all.map { world.trace.count($0) }
        let idleBefore = Self.idle.map { world.trace.count($0) }.reduce(0, +)
        for number in 0..<messages {
            world.send("s\(number)", "x", by: number % nodes, in: table)
            world.run(pause)
        }
        world.run(.seconds(40))
        frames = zip(Self.all, before).map { ($0, world.trace.count($0) - $1) }
            .filter { $0.1 > 0 }
        idleFrames = Self.idle.map { world.trace.count($0) }.reduce(0, +) - idleBefore
        links = world.nodes.reduce(0) { $0 + ($1.machine?.links.count ?? 0) } / 2
    }

    /// Frames per message, without those of an idle mesh.
    package var framesPerMessage: Double {
        Double(frames.reduce(0) { $0 + $1.count }) / Double(messages)
    }

    package var description: String {
        let kinds = frames.map { "\($0.type) \(Self.text(Double($0.count) / Double(messages)))" }
        return "\(nodes) nodes, \(links) links, a message every \(pause.milliseconds) ms: "
            + "\(Self.text(framesPerMessage)) frames (\(kinds.joined(separator: ", "))); "
            + "\(Self.text(Double(idleFrames) / Double(messages))) of an idle mesh"
    }

    private static func text(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension World {
    /// A world whose nodes join in groups of 16, meet in a conversation, and close spare links.
    package convenience init(
        settled count: Int,
        in conversation: SimulatedConversation,
        _ settings: WorldSettings = WorldSettings()
    ) {
        var settings = settings
        // In a large mesh much arrives at once; without rounds, each frame is a step of its own.
        if count > 16 { settings.iterationDelay = 500 }
        self.init(settings)
        for _ in 0..<count { addNode() }
        for first in stride(from: 0, to: count, by: 16) {
            let end = min(first + 16, count)
            for newcomer in first..<end {
                for other in 0..<newcomer {
                    introduce(newcomer, to: other)
                    introduce(other, to: newcomer)
                }
            }
            for newcomer in first..<end { start(newcomer) }
            join(conversation, Array(first..<end))
            run(.seconds(5))
        }
        // If there were too few slots, nodes try again after 10 s or more.
        if count > 16 { run(.seconds(count > 64 ? 40 : 5)) }
    }
}
