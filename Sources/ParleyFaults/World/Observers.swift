/// Passes the events of a world to the checkers, to each only the kinds that it watches.
struct Observers {
    private var checkers: [any Checker]
    /// The indices of the checkers that watch each kind, by the bit of the kind.
    private let watching: [[Int]]

    init(_ checkers: [any Checker] = []) {
        self.checkers = checkers
        watching = (0..<WorldEvent.Kinds.count).map { bit in
            let kind = WorldEvent.Kinds(rawValue: 1 << bit)
            return checkers.indices.filter { type(of: checkers[$0]).watches.contains(kind) }
        }
    }

    mutating func notify(_ event: WorldEvent, in world: World) {
        for index in watching[event.kind.rawValue.trailingZeroBitCount] {
            checkers[index].observe(event, in: world)
        }
    }

    /// Lets every checker judge the end of the run.
    mutating func finish(in world: World) {
        for index in checkers.indices { checkers[index].finish(in: world) }
    }
}
