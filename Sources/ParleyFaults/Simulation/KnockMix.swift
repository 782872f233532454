import ParleyCore

/// Draws invites that end in every third run: people knock, also two at once for the last use,
/// strangers guess, and clocks jump by ten years.
struct KnockMix {
    let nodes: Int
    let end: Interval
    private var random: SeededRandom

    init(nodes: Int, end: Interval, seed: UInt64) {
        self.nodes = nodes
        self.end = end
        // The salt leaves the draws of runs without knocks as they are.
        random = SeededRandom(seed: seed ^ 0x6b6e_6f63_6b21)
    }

    mutating func actions() -> [ScheduledAction] {
        guard nodes > 1, random.chance(1, in: 3) else { return [] }
        let host = node()
        var actions: [ScheduledAction] = []
        for _ in 0...random.next() % 3 {
            let start = Int64.random(in: 200...max(201, end.milliseconds / 2), using: &random)
            let lasts = random.chance(2, in: 3) ? 2 + random.next() % 20 : nil
            let uses = UInt32.random(in: 1...3, using: &random)
            add(.invite(node: host, uses: uses, lasts: lasts, pick: random.next()), start, &actions)
            addKnocks(after: start, lasting: Int64(lasts ?? 20) * 1_000, at: host, &actions)
        }
        return actions
    }

    private mutating func addKnocks(
        after start: Int64,
        lasting length: Int64,
        at host: Int,
        _ actions: inout [ScheduledAction]
    ) {
        func time(_ random: inout SeededRandom) -> Int64 {
            start + Int64.random(in: 50...max(51, length * 3 / 2), using: &random)
        }
        for _ in 0..<nodes {
            let moment = time(&random)
            // The last use is for one of those who come at once.
            for _ in 0...random.next() % 3 {
                add(.knock(node: node(), pick: random.next()), moment, &actions)
            }
        }
        if random.chance(1, in: 2) {
            let other = (host + Int.random(in: 1..<nodes, using: &random)) % nodes
            let visit = Intrusion(.knocks, node: host, other: other, pick: random.next())
            add(.intrude(visit), time(&random), &actions)
        }
        if random.chance(1, in: 2) {
            let decade: Int64 = 3_652 * 86_400_000
            let jump = random.chance(1, in: 2) ? decade : -decade
            add(.fault(.wallClock(node: host, milliseconds: jump)), time(&random), &actions)
        }
        if random.chance(1, in: 4) { add(.revoke(pick: random.next()), time(&random), &actions) }
    }

    private mutating func node() -> Int { Int.random(in: 0..<nodes, using: &random) }

    private func add(_ action: Action, _ time: Int64, _ actions: inout [ScheduledAction]) {
        guard time < end.milliseconds else { return }
        actions.append(ScheduledAction(.milliseconds(time), action))
    }
}
