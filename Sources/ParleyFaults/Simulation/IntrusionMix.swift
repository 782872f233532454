import ParleyCore

/// Draws when an intruder holds idle connections to which node: in every run, about every five
/// seconds.
struct IdleMix {
    let nodes: Int
    let end: Interval
    var random: SeededRandom

    /// More than a node has slots for strangers.
    private static let connections = 96

    /// The visits, in the order of their times.
    mutating func actions() -> [ScheduledAction] {
        var actions: [ScheduledAction] = []
        var time = Int64.random(in: 0...2_000, using: &random)
        while time < end.milliseconds {
            let node = Int.random(in: 0..<nodes, using: &random)
            let action = Action.holdIdle(node: node, connections: Self.connections)
            actions.append(ScheduledAction(.milliseconds(time), action))
            time += Int64.random(in: 1_000...9_000, using: &random)
        }
        return actions
    }
}

/// Draws the intrusions of a run.
struct IntrusionMix {
    let nodes: Int
    let end: Interval
    var random: SeededRandom

    /// The percentage of runs with intruders.
    private static let rarity = 35

    mutating func actions() -> [ScheduledAction] {
        guard random.chance(Self.rarity, in: 100) else { return [] }
        return (0..<Int.random(in: 1...5, using: &random)).map { _ in
            let kind = Intrusion.drawn.randomElement(using: &random) ?? .forges
            let node = Int.random(in: 0..<nodes, using: &random)
            let step = Int.random(in: 1...max(1, nodes - 1), using: &random)
            let intrusion = Intrusion(
                kind,
                node: node,
                other: (node + step) % nodes,
                pick: random.next()
            )
            let time = Int64.random(in: 500...max(501, end.milliseconds), using: &random)
            return ScheduledAction(.milliseconds(time), .intrude(intrusion))
        }
    }
}

/// Draws relays that announce nonexistent envelopes, in every run, on one to three occasions.
///
/// In some runs the memory for announced envelopes is so small that honest nodes often have to wait
/// for credit.
struct AnnouncerMix {
    let nodes: Int
    let end: Interval
    var random: SeededRandom

    /// The percentage of runs with little memory.
    private static let shortage = 25

    /// The visits, and the memory that each node has for announced envelopes.
    mutating func draw(_ limits: inout Limits) -> [ScheduledAction] {
        if random.chance(Self.shortage, in: 100) {
            limits.announcedBytes =
                Int.random(in: 16...64, using: &random) * limits.announcedBytesPerName
        }
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let node = Int.random(in: 0..<nodes, using: &random)
            var intrusion = Intrusion(.announces, node: node, other: node, pick: random.next())
            intrusion.relays = Int.random(in: 1...9, using: &random)
            intrusion.announced = Int.random(in: 1...200, using: &random)
            let time = Int64.random(in: 300...max(301, end.milliseconds), using: &random)
            // All are gone when the run has to become quiet.
            let stay = Int64.random(in: 700...40_000, using: &random)
            intrusion.stay = .milliseconds(min(stay, max(700, end.milliseconds - time)))
            return ScheduledAction(.milliseconds(time), .intrude(intrusion))
        }
    }
}
