import ParleyCore

/// After quiescence, two members of a conversation have at most one link to one another, and no
/// idle link is taken for dead.
package struct LinksChecker: Checker {
    package static let promise = Promise("one link that lives")
    package static let watches: WorldEvent.Kinds = [.ending, .links, .delivered]

    private var quiescentSince: Moment?
    /// The time at which each node got its last link.
    private var opened: [Int: Moment] = [:]

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .quiescence: quiescentSince = world.now
        case .input(let node, .linkOpened): opened[node] = world.now
        case .delivered(let node, .link(let notice)):
            guard let quiescentSince, world.now >= quiescentSince + patience(of: node, world),
                isTakenForDead(notice),
                // After half a frame of a Byzantine writer, its link brings no complete frame.
                !world.nodes.contains(where: { $0.isByzantine && $0.device == notice.device })
            else { return }
            let what = "\(world.nodes[node].name) takes an idle link for dead"
            world.fail(Self.promise, by: [node], what)
        default: break
        }
    }

    /// Half-open links from before are found within 15 s of the node's clock.
    private func patience(of node: Int, _ world: World) -> Interval {
        .milliseconds(20_000 * 1_000 / min(1_000, world.nodes[node].clock.rate))
    }

    /// Whether a link was closed as silent.
    ///
    /// A suspicion does not count: a slow network may delay an answer too long for a fast clock.
    private func isTakenForDead(_ notice: LinkNotice) -> Bool {
        if case .closed(.said(.silent, _)) = notice.change { true } else { false }
    }

    package mutating func finish(in world: World) {
        guard let quiescentSince, world.now >= quiescentSince + .seconds(5) else { return }
        for conversation in world.agreement.conversationIDs {
            let members = world.agreement.members(of: conversation)
            for (index, one) in members.enumerated() {
                for other in members.dropFirst(index + 1)
                where world.nodes[one].device != world.nodes[other].device {
                    count(one, other, world)
                }
            }
        }
    }

    private func count(_ one: Int, _ other: Int, _ world: World) {
        guard !hasDuplicateIdentity(one, world), !hasDuplicateIdentity(other, world) else { return }
        // A half-open link is dead, and its remaining side will notice.
        let count = min(links(from: one, to: other, world), links(from: other, to: one, world))
        guard count > 1, world.now >= settled(one, other) else { return }
        let names = "\(world.nodes[one].name) and \(world.nodes[other].name)"
        world.fail(Self.promise, by: [one, other], "\(names) have \(count) links")
    }

    private func links(from one: Int, to other: Int, _ world: World) -> Int {
        let device = world.nodes[other].device
        guard let links = world.nodes[one].machine?.links else { return 0 }
        return links.count { $0.device == device && $0.isMember }
    }

    /// The time by which duplicates of the last links must be closed.
    private func settled(_ one: Int, _ other: Int) -> Moment {
        max(opened[one] ?? .start, opened[other] ?? .start) + .seconds(3)
    }

    private func hasDuplicateIdentity(_ node: Int, _ world: World) -> Bool {
        world.nodes.count { $0.device == world.nodes[node].device } > 1
    }
}
