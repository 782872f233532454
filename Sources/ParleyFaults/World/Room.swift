import ParleyCore

/// The conversation whose keys are changed in a run.
struct Room {
    let world: World

    /// The number of the conversation.
    static let number = 3

    init(_ world: World) { self.world = world }

    /// The conversation of a number; the room has the first node as its creator.
    static func conversation(_ number: Int, in world: World) -> SimulatedConversation {
        let isOpen = number <= world.settings.openConversations
        let creator = number == Self.number ? world.nodes.first : nil
        return SimulatedConversation(
            UInt64(number),
            isOpen: isOpen,
            creator: creator?.crypto.devicePublicKey
        )
    }

    var table: SimulatedConversation { Self.conversation(Self.number, in: world) }

    /// Whether somebody changed the keys of a conversation: what is written by who is out does not
    /// count, which only `RoomChecker` knows.
    func hasChangedKeys(_ conversation: ConversationID) -> Bool {
        let table = self.table
        return conversation == table.id
            && world.nodes.contains { $0.state(of: table)?.generations.arePlain == false }
    }

    /// Whether a node may remove heads as keys were changed: readers and relays cannot vouch.
    func mayLetGo(_ conversation: ConversationID, at node: Int) -> Bool {
        hasChangedKeys(conversation) && world.nodes[node].state(of: table)?.role != .writer
    }

    /// Changes the keys of the room, without some nodes, and without all who are no nodes.
    func changeKeys(by node: Int, without removed: [Int]) {
        guard world.isRunning(node), !world.nodes[node].isPaused,
            let machine = world.nodes[node].machine, let state = world.nodes[node].state(of: table)
        else { return }
        let members = machine.members.list(state, world.nodes[node].crypto).map(\.device)
        let devices = world.nodes.map(\.device)
        let others = removed.filter(devices.indices.contains).map { devices[$0] }
        let without = members.filter { member in
            member != devices[node] && (others.contains(member) || !devices.contains(member))
        }
        world.note(node, "changes the keys without \(without.count) of \(members.count)")
        let request = RotationRequest(
            request: world.nodes[node].person.nextRequest(at: node),
            conversation: state.number,
            without: without
        )
        world.input(.rotated(request), to: node)
    }
}
