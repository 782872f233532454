/// Those who see the events of a world, each in its turn, and only the kinds that it looks at.
struct Observers {
    private var checkers: [any Checker]
    /// Who looks at each kind, by its bit; in the order of the checkers.
    private let watching: [[Int]]

    init(_ checkers: [any Checker] = []) {
        self.checkers = checkers
        watching = (0..<WorldEvent.Kinds.count).map { bit in
            let kind = WorldEvent.Kinds(rawValue: 1 << bit)
            return checkers.indices.filter { type(of: checkers[$0]).watches.contains(kind) }
        }
    }

    mutating func tell(_ event: WorldEvent, in world: World) {
        for index in watching[event.kind.rawValue.trailingZeroBitCount] {
            checkers[index].observe(event, in: world)
        }
    }

    /// Asks for what only the end shows.
    mutating func finish(in world: World) {
        for index in checkers.indices { checkers[index].finish(in: world) }
    }
}
