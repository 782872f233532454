import ParleyCore

/// Draws writers that flood a conversation, in every fourth run, on one to three occasions.
///
/// Then nodes keep so little of a conversation that the floods fill it, and the messages of honest
/// nodes have to wait with the rest.
struct FloodMix {
    let nodes: Int
    let end: Interval
    private var random: SeededRandom

    init(nodes: Int, end: Interval, seed: UInt64) {
        self.nodes = nodes
        self.end = end
        // Of the numbers that leave the recorded seeds of the mutants as they are.
        random = SeededRandom(seed: seed ^ 0x1010_0000)
    }

    /// The visits, and what each node keeps of a conversation.
    mutating func draw(_ limits: inout Limits) -> [ScheduledAction] {
        guard nodes > 1, random.chance(1, in: 4) else { return [] }
        limits.quota = Quota(
            conversation: KeptAmount(
                heads: between(8...60),
                bytes: between(8...60) << 10,
                origins: between(6...24)
            ),
            device: KeptAmount(
                heads: between(4...20),
                bytes: between(4...20) << 10,
                origins: between(2...6)
            )
        )
        return (0..<between(1...3)).map { _ in
            let node = between(0...nodes - 1)
            let other = (node + between(1...nodes - 1)) % nodes
            var intrusion = Intrusion(.floods, node: node, other: other, pick: random.next())
            intrusion.relays = between(1...4)
            intrusion.epochs = between(1...4)
            intrusion.written = between(2...12)
            let time = Int64(between(300...max(301, Int(end.milliseconds))))
            return ScheduledAction(.milliseconds(time), .intrude(intrusion))
        }
    }

    private mutating func between(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }
}
