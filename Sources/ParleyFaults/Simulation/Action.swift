package import ParleyCore

/// An action of the workload or a fault, at a time from the start of the run.
///
/// All actions of a run are drawn beforehand, so that a failing list can be shortened.
package struct ScheduledAction: Sendable, Equatable {
    package var time: Interval
    package var action: Action

    package init(_ time: Interval, _ action: Action) {
        self.time = time
        self.action = action
    }
}

/// An action; the world skips an action that is impossible at its time.
package enum Action: Sendable, Equatable {
    case fault(Fault)
    /// A node joins the conversation of this number.
    case join(node: Int, conversation: Int, Capability.Role)
    case leave(node: Int, conversation: Int)
    /// A guest of a node takes a seat, or gets another name.
    case seat(node: Int, conversation: Int, SimulatedGuest)
    case unseat(node: Int, conversation: Int, SeatNumber)
    /// A node sends a batch of messages, those of one author under one signature.
    case send(node: Int, conversation: Int, [Utterance])
    /// Somebody plays a turn game of the first conversation, or cheats in it.
    case play(node: Int, game: Int, pick: UInt64, cheats: Bool)
    /// Somebody at a node, or a guest there, sends a signal about a game, several times.
    case signal(node: Int, seat: SeatNumber?, Signal.Kind, game: Int, count: Int)
    /// Somebody at a node makes an invite that ends.
    case invite(node: Int, uses: UInt32, lasts: UInt64?, pick: UInt64)
    /// Somebody knocks by one of the invites so far.
    case knock(node: Int, pick: UInt64)
    /// One of the invites so far is revoked.
    case revoke(pick: UInt64)
    /// Somebody changes the keys of the room, without the members at some nodes.
    case rotate(node: Int, without: [Int])
    /// A Byzantine writer breaks the rules.
    case byzantine(node: Int, conversation: Int, ByzantineAct)
    /// A node is told the address of another node.
    case introduce(node: Int, to: Int)
    /// An intruder connects to a node.
    case intrude(Intrusion)
    /// An intruder opens connections to a node from a few addresses, and sends nothing.
    case holdIdle(node: Int, connections: Int)
}

/// A message of the workload.
package struct Utterance: Sendable, Equatable {
    /// The heads that a message names as replaced.
    package enum Replacing: Sendable, Equatable {
        /// All heads of the session.
        case heads
        /// No head: the message starts a session, or is refused as stale.
        case nothing
    }

    /// The number of the session in its conversation.
    package var session: Int
    package var text: String
    package var replacing = Replacing.heads
    /// The nodes that may answer; empty for all.
    package var next: [Int] = []
    package var isTombstone = false
    /// The size of the picture in bytes; 0 for none.
    package var pictureBytes = 0
    package var summary: String?
    /// The seat of the guest who writes; nil for the person at the node.
    package var seat: SeatNumber?
    /// The guests that may answer, beside the nodes in `next`.
    package var nextGuests: [SimulatedGuest] = []
}

extension Action {
    /// The node that acts or has a fault; nil for a fault between nodes.
    package var node: Int? {
        switch self {
        case .fault(let fault): fault.node
        case .join(let node, _, _), .leave(let node, _), .seat(let node, _, _),
            .unseat(let node, _, _), .send(let node, _, _), .play(let node, _, _, _),
            .signal(let node, _, _, _, _), .byzantine(let node, _, _), .introduce(let node, _),
            .holdIdle(let node, _), .invite(let node, _, _, _), .knock(let node, _),
            .rotate(let node, _):
            node
        case .revoke: nil
        case .intrude(let intrusion): intrusion.node
        }
    }

    /// Performs the action where it is possible.
    package func perform(in world: World) {
        switch self {
        case .fault(let fault): world.strike(fault)
        case .byzantine(let node, let number, let act):
            guard world.nodes.indices.contains(node) else { return }
            world.perform(act, by: node, conversation: number)
        case .join(let node, let number, let role):
            let table = Room.conversation(number, in: world)
            guard isMachine(node, world), world.number(of: table, at: node) == nil else { return }
            world.join(table, [node], as: role)
        case .leave(let node, let number):
            guard isMachine(node, world) else { return }
            world.leave(SimulatedConversation(UInt64(number)), node)
        case .seat(let node, let number, let guest):
            guard isMachine(node, world) else { return }
            world.seat(guest, at: node, in: SimulatedConversation(UInt64(number)))
        case .unseat(let node, let number, let seat):
            guard isMachine(node, world) else { return }
            world.unseat(seat, at: node, in: SimulatedConversation(UInt64(number)))
        case .send(let node, let number, let utterances):
            let conversation = Room.conversation(number, in: world)
            guard isMachine(node, world), world.number(of: conversation, at: node) != nil else {
                return
            }
            world.send(
                utterances.map { draft($0, at: node, conversation, world) },
                by: node,
                in: conversation
            )
        case .play(let node, let game, let pick, let cheats):
            let conversation = SimulatedConversation(1)
            guard isMachine(node, world),
                var bot = MatchBot(game, at: node, in: conversation, pick: pick, world),
                let draft = cheats ? bot.cheat() : bot.draft()
            else { return }
            world.send([draft], by: node, in: conversation)
        case .signal(let node, let seat, let kind, let game, let count):
            guard isMachine(node, world) else { return }
            let signal = Signal(kind, in: SessionUUID(session: "game \(game)"))
            for _ in 0..<count { send(signal, by: node, at: seat, world) }
        case .invite(let node, let uses, let lasts, let pick):
            guard isMachine(node, world) else { return }
            world.invite(at: node, uses: uses, lasts: lasts, pick: pick)
        case .knock(let node, let pick):
            guard isMachine(node, world), let door = door(pick, world) else { return }
            world.knock(at: door, by: node)
        case .rotate(let node, let without):
            Room(world).changeKeys(by: node, without: without)
        case .revoke(let pick):
            if let door = door(pick, world) { world.revoke(door) }
        case .intrude(let intrusion): world.intrude(intrusion)
        case .holdIdle(let node, let count):
            guard world.isRunning(node), !world.nodes[node].isPaused else { return }
            world.openIdleConnections(count, to: node)
        case .introduce(let node, let other):
            guard [node, other].allSatisfy(world.nodes.indices.contains) else { return }
            world.introduce(node, to: other)
        }
    }

    /// One of the doors at which somebody may knock.
    private func door(_ pick: UInt64, _ world: World) -> KnockRequests.Door? {
        world.doors.isEmpty ? nil : world.doors[Int(pick % UInt64(world.doors.count))]
    }

    private func send(_ signal: Signal, by node: Int, at seat: SeatNumber?, _ world: World) {
        guard let number = world.number(of: SimulatedConversation(1), at: node) else { return }
        let guest = seat.map { world.nodes[node].machine?.guest(at: $0, in: number) ?? .nobody }
        let request = SignalRequest(conversation: number, guest: guest, signal)
        world.input(.signalled(request), to: node)
    }

    private func isMachine(_ node: Int, _ world: World) -> Bool {
        world.nodes.indices.contains(node) && world.nodes[node].machine != nil
            && !world.nodes[node].isPaused
    }

    private func draft(
        _ utterance: Utterance,
        at node: Int,
        _ conversation: SimulatedConversation,
        _ world: World
    ) -> World.Draft {
        var draft = World.Draft(session: "s\(utterance.session)", text: utterance.text)
        draft.next = utterance.next.filter { world.nodes.indices.contains($0) }
            .map { world.participant($0, in: conversation) }
        draft.next += utterance.nextGuests.map { guest in
            guest.kept.participant(
                of: world.nodes[node].device,
                in: conversation.id,
                using: world.nodes[0].crypto
            )
        }
        draft.seat = utterance.seat
        if utterance.replacing == .nothing { draft.replacing = [] }
        draft.isTombstone = utterance.isTombstone
        draft.summary = utterance.summary
        // Somebody looks at how many nodes have it; nothing is drawn for that.
        if utterance.session.isMultiple(of: 5) { draft.following = .shown }
        if utterance.pictureBytes > 0 {
            var bytes = SeededRandom(seed: UInt64(utterance.pictureBytes))
            let picture = Slice(bytes.bytes(utterance.pictureBytes))
            draft.picture = InlinePicture(type: "image/png", bytes: picture)
        }
        return draft
    }
}
