import ParleyCore

/// Honest nodes never refuse each other's frames, and audits find no divergence.
package struct AgreementChecker: Checker {
    package static let promise = Promise("honest nodes take what honest nodes send")
    package static let watches: WorldEvent.Kinds = [.links, .delivered, .processes]

    private let ledger: Ledger
    private var intruders: Set<LinkEnd> = []

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .linkOpened(let opened)):
            let isNode = world.nodes.contains {
                $0.crypto.devicePublicKey == opened.peerKey && !$0.isByzantine
            }
            guard !isNode else { return }
            intruders.insert(LinkEnd(node: node, link: opened.id))
        case .delivered(let node, .refused(let link, let device, _, let refusal)):
            guard !intruders.contains(LinkEnd(node: node, link: link)) else { return }
            // The blob may have been damaged on the disk of its holder.
            guard refusal != .badBlob || !ledger.hasDamagedBlob else { return }
            let peer = world.nodes.first { $0.device == device }?.name ?? "nobody"
            let what = "\(world.nodes[node].name) refuses \(peer): \(refusal.sentence)"
            world.fail(Self.promise, by: [node], what)
        case .delivered(let node, .divergence(let number, let device, _)):
            // A reader or relay that let go of a head lacks what that one had replaced.
            let room = Room(world)
            let sides = world.nodes.indices.filter {
                $0 == node || world.nodes[$0].device == device
            }
            guard
                world.nodes[node].state(of: room.table)?.number != number
                    || !sides.contains(where: { room.mayLetGo(room.table.id, at: $0) })
            else { return }
            // Byzantine claims may remove a head at one node only; audits repair such differences.
            guard ledger.damaged.isEmpty, ledger.byzantineSessions.isEmpty else { return }
            let peer = world.nodes.first { $0.device == device }?.name ?? "nobody"
            let what = "\(world.nodes[node].name) and \(peer) are level and differ"
            world.fail(Self.promise, by: [node], what)
        case .started(let node):
            intruders = intruders.filter { $0.node != node }
        default: break
        }
    }
}
