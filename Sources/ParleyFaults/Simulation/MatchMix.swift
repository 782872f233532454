import ParleyCore

/// Draws turn games in every third run: everybody plays, now and then somebody cheats, and a game
/// that is over is played again.
struct MatchMix {
    let nodes: Int
    let end: Interval
    /// Whether cards are played; drawn apart, so that the other games stay as they are.
    private let hasCards: Bool
    private var random: SeededRandom

    init(nodes: Int, end: Interval, seed: UInt64) {
        self.nodes = nodes
        self.end = end
        // The salt leaves the draws of runs without games as they are.
        random = SeededRandom(seed: seed ^ 0x6d61_7463_68)
        var cards = SeededRandom(seed: seed ^ 0x68_616e_6473)
        hasCards = cards.chance(1, in: 4)
    }

    mutating func actions() -> [ScheduledAction] {
        guard nodes > 1, random.chance(1, in: 3) else { return [] }
        if hasCards { return cardActions() }
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

    /// A hand takes many steps, so all nodes play one game with few breaks.
    private mutating func cardActions() -> [ScheduledAction] {
        let game = MatchBot.cardGames.randomElement(using: &random) ?? 0
        let cheats = random.chance(1, in: 2)
        let pace = Int64.random(in: 10...60, using: &random)
        var actions: [ScheduledAction] = []
        var time = Int64.random(in: 100...600, using: &random)
        while time < end.milliseconds, actions.count < 600 {
            for node in 0..<nodes {
                let action = Action.play(
                    node: node,
                    game: game,
                    pick: random.next(),
                    cheats: cheats && random.chance(1, in: 6)
                )
                actions.append(ScheduledAction(.milliseconds(time), action))
            }
            time += Int64.random(in: 0...2 * pace, using: &random)
        }
        return actions
    }
}
