import ParleyCore

/// Draws signals in every third run: people open and close games, ask others to move, and now and
/// then a program sends many signals at once.
struct SignalMix {
    let nodes: Int
    let end: Interval
    private var random: SeededRandom

    init(nodes: Int, end: Interval, seed: UInt64) {
        self.nodes = nodes
        self.end = end
        // The salt leaves the draws of runs without signals as they are.
        random = SeededRandom(seed: seed ^ 0x7369_676e_616c)
    }

    mutating func actions() -> [ScheduledAction] {
        guard nodes > 1, random.chance(1, in: 3) else { return [] }
        let pace = Int64.random(in: 20...1_500, using: &random)
        var actions: [ScheduledAction] = []
        var time = Int64.random(in: 100...600, using: &random)
        while time < end.milliseconds, actions.count < 200 {
            let isFlood = random.chance(1, in: 12)
            let action = Action.signal(
                node: Int.random(in: 0..<nodes, using: &random),
                seat: random.chance(1, in: 3) ? SeatNumber(1 + Int(random.next() % 4)) : nil,
                Signal.Kind.allCases.randomElement(using: &random) ?? .nudge,
                game: Int.random(in: 0..<3, using: &random),
                count: isFlood ? 30 : 1
            )
            actions.append(ScheduledAction(.milliseconds(time), action))
            time += Int64.random(in: 0...2 * pace, using: &random)
        }
        if random.chance(1, in: 3) { actions.append(flood()) }
        return actions
    }

    private mutating func flood() -> ScheduledAction {
        let node = Int.random(in: 0..<nodes, using: &random)
        let other = (node + Int.random(in: 1..<nodes, using: &random)) % nodes
        let time = Int64.random(in: 300...max(301, end.milliseconds), using: &random)
        let intrusion = Intrusion(.signals, node: node, other: other, pick: random.next())
        return ScheduledAction(.milliseconds(time), .intrude(intrusion))
    }
}
