import ParleyCore

/// Draws turn games in every third run: everybody plays, now and then somebody cheats, and a game
/// that is over is played again.
struct MatchMix {
    let nodes: Int
    let end: Interval
    private var random: SeededRandom

    init(nodes: Int, end: Interval, seed: UInt64) {
        self.nodes = nodes
        self.end = end
        // The salt leaves the draws of runs without games as they are.
        random = SeededRandom(seed: seed ^ 0x6d61_7463_68)
    }

    mutating func actions() -> [ScheduledAction] {
        guard nodes > 1, random.chance(1, in: 3) else { return [] }
        let games = Int.random(in: 1...3, using: &random)
        let cheats = random.chance(2, in: 3)
        let pace = Int64.random(in: 10...150, using: &random)
        var actions: [ScheduledAction] = []
        var time = Int64.random(in: 100...600, using: &random)
        while time < end.milliseconds, actions.count < 400 {
            let action = Action.play(
                node: Int.random(in: 0..<nodes, using: &random),
                game: Int.random(in: 0..<games, using: &random),
                pick: random.next(),
                cheats: cheats && random.chance(1, in: 6)
            )
            actions.append(ScheduledAction(.milliseconds(time), action))
            time += Int64.random(in: 0...2 * pace, using: &random)
        }
        return actions
    }
}
