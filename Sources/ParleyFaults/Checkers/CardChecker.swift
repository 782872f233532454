import ParleyCore

/// Cards tell the truth: no node is shown under another name or in another role, and no device as
/// one of a person who has not signed it.
package struct CardChecker: Checker {
    package static let promise = Promise("cards tell the truth")
    package static let watches: WorldEvent.Kinds = [.membership, .faults]

    /// The roles in which each device ever joined a conversation.
    private var joined: [ConversationID: [DeviceID: Set<Capability.Role>]] = [:]
    /// Devices that were copied or set back.
    ///
    /// The latest card is perhaps of a process that has left since, or later than the backup.
    private var copied: Set<DeviceID> = []

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .joined(let node, let conversation, let role):
            joined[conversation, default: [:]][world.nodes[node].device, default: []].insert(role)
        case .fault(.restore(let node, _)), .fault(.clone(let node, _)):
            guard world.nodes.indices.contains(node) else { return }
            copied.insert(world.nodes[node].device)
        default: break
        }
    }

    package mutating func finish(in world: World) {
        let owned = Set(world.nodes.filter { $0.owner != nil }.map(\.device))
        for node in world.nodes.indices {
            guard let machine = world.nodes[node].machine else { continue }
            for conversation in machine.conversations {
                let held = machine.members.cards[conversation.number].held
                for (device, card) in held.sorted(by: { $0.key < $1.key }) {
                    check(card, of: device, in: conversation.record.id, at: node, owned, world)
                }
            }
        }
    }

    private func check(
        _ held: CardTable.Held,
        of device: DeviceID,
        in conversation: ConversationID,
        at node: Int,
        _ owned: Set<DeviceID>,
        _ world: World
    ) {
        if held.text?.person != nil, !owned.contains(device) {
            fail("has a device as one of a person's that is not", node, world)
        }
        // A device may run more than once, as a copy.
        let others = world.nodes.filter { $0.device == device }
        guard let text = held.text, let first = others.first else { return }
        let names = others.map(\.name)
        if !names.contains(text.name) {
            fail("has \(first.name) under the name \(text.name)", node, world)
        }
        let roles = others.flatMap { other in
            other.disk.conversations.values.filter { $0.record.id == conversation }
                .map(\.record.capability.role)
        }
        let former = copied.contains(device) ? joined[conversation]?[device] ?? [] : []
        guard held.isProven, !roles.isEmpty, !roles.contains(held.card.role),
            !former.contains(held.card.role)
        else { return }
        fail("has \(first.name) as a \(held.card.role)", node, world)
    }

    private func fail(_ what: String, _ node: Int, _ world: World) {
        world.fail(Self.promise, by: [node], "\(world.nodes[node].name) \(what)")
    }
}
