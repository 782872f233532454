import ParleyCore

/// Draws a conversation with a creator in every third run: members change its keys, also several at
/// once and in partitions, throw each other out, and somebody who was a member comes back.
struct RoomMix {
    let nodes: Int
    let end: Interval
    private var random: SeededRandom
    private var texts = 0

    init(nodes: Int, end: Interval, seed: UInt64) {
        self.nodes = nodes
        self.end = end
        // The salt leaves the draws of runs without a room as they are.
        random = SeededRandom(seed: seed ^ 0x726f_6f6d_21)
    }

    mutating func actions() -> [ScheduledAction] {
        guard nodes > 1, random.chance(1, in: 3) else { return [] }
        var actions: [ScheduledAction] = []
        for node in 0..<nodes {
            let join = Action.join(node: node, conversation: Room.number, role(of: node))
            add(join, Int64.random(in: 0...50, using: &random), &actions)
            // A node that was down at its first request asks again.
            add(join, end.milliseconds - 1_000, &actions)
        }
        for _ in 0..<Int.random(in: 5...40, using: &random) { add(message(), time(), &actions) }
        for _ in 0..<Int.random(in: 1...5, using: &random) { addRotations(&actions) }
        guard random.chance(1, in: 2) else { return actions }
        for _ in 0...random.next() % 5 {
            let (one, other) = (node(), node())
            let visit = Intrusion(.returns, node: one, other: other, pick: random.next())
            add(.intrude(visit), time(), &actions)
        }
        return actions
    }

    /// One to three changes of keys at almost the same moment.
    private mutating func addRotations(_ actions: inout [ScheduledAction]) {
        let moment = time()
        for _ in 0...(random.chance(1, in: 3) ? random.next() % 3 : 0) {
            let count = random.chance(1, in: 2) ? 0 : Int.random(in: 1...2, using: &random)
            let without = (0..<count).map { _ in node() }
            let change = Action.rotate(node: node(), without: without)
            add(change, moment + Int64(random.next() % 40), &actions)
        }
    }

    private mutating func message() -> Action {
        texts += 1
        let session = Int.random(in: 0...4, using: &random)
        let utterance = Utterance(session: session, text: "room \(texts)")
        return .send(node: node(), conversation: Room.number, [utterance])
    }

    /// The first two nodes always write.
    private mutating func role(of node: Int) -> Capability.Role {
        guard node > 1, random.chance(1, in: 3) else { return .writer }
        return random.chance(1, in: 2) ? .reader : .relay
    }

    private mutating func node() -> Int { Int.random(in: 0..<nodes, using: &random) }

    private mutating func time() -> Int64 {
        Int64.random(in: 100...max(101, end.milliseconds), using: &random)
    }

    private func add(_ action: Action, _ time: Int64, _ actions: inout [ScheduledAction]) {
        guard time < end.milliseconds else { return }
        actions.append(ScheduledAction(.milliseconds(max(0, time)), action))
    }
}
