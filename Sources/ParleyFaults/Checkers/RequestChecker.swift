import ParleyCore

/// Every request to write a message ends: with one answer, unless the process ends before.
///
/// While commits fail, requests wait, and so may those behind them. All faults are over at the time
/// of convergence, and commits have been made; then no request may be open. Afterwards whoever
/// follows the message hears of each node that has it, one more at a time.
package struct RequestChecker: Checker {
    package static let promise = Promise("every request ends")
    package static let watches: WorldEvent.Kinds = [.authored, .delivered, .processes, .ending]

    /// The open requests of each node, with the times at which they came.
    private var open: [Int: [RequestID: Moment]] = [:]
    /// The number of nodes that have the message of a followed request, as told last.
    private var told: [Int: [RequestID: Int]] = [:]

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .authored(let requests)) where !world.nodes[node].isByzantine:
            for request in requests { open[node, default: [:]][request.request] = world.now }
        case .delivered(let node, .answer(let request, _)):
            guard open[node]?.removeValue(forKey: request) == nil else { return }
            fail("answers a request that is not open", by: node, world)
        case .delivered(let node, .linked(let request, let nodes)):
            let before = told[node, default: [:]].updateValue(nodes, forKey: request) ?? 0
            guard nodes != before + 1 else { return }
            fail("tells of \(nodes) nodes with a message after \(before)", by: node, world)
        case .ended(let node, _):
            open[node] = nil
            told[node] = nil
        case .converged: check(world)
        default: break
        }
    }

    private func check(_ world: World) {
        for (node, requests) in open.sorted(by: { $0.key < $1.key }) {
            guard let oldest = requests.values.min() else { continue }
            let age = (world.now - oldest).milliseconds
            fail("left \(requests.count) requests without an answer for \(age) ms", by: node, world)
        }
    }

    private func fail(_ what: String, by node: Int, _ world: World) {
        world.fail(Self.promise, by: [node], "\(world.nodes[node].name) \(what)")
    }
}
