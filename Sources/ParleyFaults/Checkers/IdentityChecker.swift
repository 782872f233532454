import ParleyCore

/// Two running nodes with one device key use different epochs once they have had time to meet.
package struct IdentityChecker: Checker {
    package static let promise = Promise("copies number apart")
    package static let watches: WorldEvent.Kinds = []

    package init() {}

    package mutating func finish(in world: World) {
        for (one, node) in world.nodes.enumerated() {
            for (other, copy) in world.nodes.enumerated().dropFirst(one + 1)
            where node.device == copy.device {
                guard let epoch = node.machine?.epoch, epoch == copy.machine?.epoch else {
                    continue
                }
                let what = "\(node.name) and its copy \(copy.name) are still in one epoch"
                world.fail(Self.promise, by: [one, other], what)
            }
        }
    }
}
