import ParleyCore

/// Draws writers that flood a conversation, in every fourth run, on one to three occasions.
///
/// The quotas are so small then that floods fill them, and honest messages have to wait too. Half
/// of these runs have open conversations: the flooded one, or both.
struct FloodMix {
    let nodes: Int
    let end: Interval
    private var random: SeededRandom
    private var openRandom: SeededRandom

    init(nodes: Int, end: Interval, seed: UInt64) {
        self.nodes = nodes
        self.end = end
        // The salt leaves the recorded seeds of mutants as they are.
        random = SeededRandom(seed: seed ^ 0x1010_0000)
        // A separate generator leaves floods without open conversations unchanged.
        openRandom = SeededRandom(seed: seed ^ 0x6f70_656e)
    }

    /// The visits; sets the quota of each node.
    mutating func draw(_ settings: inout WorldSettings) -> [ScheduledAction] {
        guard nodes > 1, random.chance(1, in: 4) else { return [] }
        settings.limits.quota = Self.quota(&random)
        if openRandom.chance(1, in: 2) {
            settings.openConversations = Int.random(in: 1...2, using: &openRandom)
            settings.limits.openQuota = Self.quota(&openRandom)
            settings.limits.openConversations = KeptAmount(
                heads: Int.random(in: 8...80, using: &openRandom),
                bytes: Int.random(in: 8...80, using: &openRandom) << 10,
                origins: Int.random(in: 6...32, using: &openRandom)
            )
        }
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

    /// A quota that floods fill.
    static func quota(_ random: inout SeededRandom) -> Quota {
        Quota(
            conversation: KeptAmount(
                heads: Int.random(in: 8...60, using: &random),
                bytes: Int.random(in: 8...60, using: &random) << 10,
                origins: Int.random(in: 6...24, using: &random)
            ),
            device: KeptAmount(
                heads: Int.random(in: 4...20, using: &random),
                bytes: Int.random(in: 4...20, using: &random) << 10,
                origins: Int.random(in: 2...6, using: &random)
            )
        )
    }

    private mutating func between(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }
}
