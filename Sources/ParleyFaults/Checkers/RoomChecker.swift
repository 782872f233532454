import ParleyCore

/// Changed keys: all nodes end on one line, members have the keys and everybody else has none, and
/// no message counts of who is out, unless a member vouches for it; no acknowledged message of who
/// stays is lost.
package struct RoomChecker: Checker {
    package static let promise = Promise("changed keys keep out who is out")
    package static let watches: WorldEvent.Kinds = [.authored, .delivered, .processes]

    private struct Message {
        let node: Int
        let device: DeviceID
        let session: SessionUUID
        var dot: Dot?
    }

    private let ledger: Ledger
    private var sent: [RequestID: Message] = [:]
    private var isStrange = false

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .authored(let requests)):
            guard let number = world.number(of: Room(world).table, at: node) else { return }
            for request in requests where request.conversation == number {
                sent[request.request] = Message(
                    node: node,
                    device: world.nodes[node].device,
                    session: request.body.session
                )
            }
        case .delivered(_, .answer(let request, .stored(let message))):
            sent[request]?.dot = message.dot
        default: break
        }
    }

    package mutating func finish(in world: World) {
        let room = Room(world).table
        let states = world.nodes.indices.compactMap { node in
            world.nodes[node].state(of: room).map { (node: node, state: $0) }
        }
        for (node, state) in states {
            checkKeys(of: node, state, world)
            if state.standing == .member { checkHeads(of: node, state, world) }
        }
        // Copies of a device may have no link to those who know more.
        guard !world.agreement.hasCopies, let first = states.first else { return }
        for (node, state) in states where state.generations.line != first.state.generations.line {
            fail("\(name(node, world)) is on another line", node, world)
        }
        let members = states.filter { $0.state.standing == .member }
        guard !ledger.hasLost, ledger.damaged.isEmpty, ledger.copied.isEmpty else { return }
        for (node, state) in members { checkKept(by: node, state, members.map(\.node), world) }
    }

    private func name(_ node: Int, _ world: World) -> String { world.nodes[node].name }

    private func fail(_ what: String, _ node: Int, _ world: World) {
        world.fail(Self.promise, by: [node], what)
    }

    // MARK: Keys

    /// Who is listed has the keys, and nobody has keys of a generation that does not list it.
    private func checkKeys(of node: Int, _ state: Conversation, _ world: World) {
        let (generations, crypto) = (state.generations, world.nodes[node].crypto)
        let device = world.nodes[node].device
        let listings = Capability.Role.allCases.filter { $0 >= state.role }
            .map { device.listing(in: state.record.id, as: $0, using: crypto) }
        for id in generations.secrets.keys.sorted() {
            guard let statement = generations.generations[id]?.record.statement,
                !listings.contains(where: statement.stays.contains)
            else { continue }
            fail("\(name(node, world)) has keys of generation \(statement.number)", node, world)
        }
        guard !world.agreement.hasCopies, state.standing != .member, state.standing != .out else {
            return
        }
        fail("\(name(node, world)) is neither in nor out: \(state.standing)", node, world)
    }

    // MARK: Messages

    /// Each head is of a member, or a member vouches for it.
    private func checkHeads(of node: Int, _ state: Conversation, _ world: World) {
        let (generations, crypto) = (state.generations, world.nodes[node].crypto)
        let line = generations.line.compactMap { generations.generations[$0]?.record.statement }
        guard !line.isEmpty else { return }
        func isIn(_ device: DeviceID, since: Int) -> Bool {
            let listing = device.listing(in: state.record.id, using: crypto)
            return line.dropFirst(since).allSatisfy { $0.stays.contains(listing) }
        }
        var vouched: Set<Bytes16> = []
        for (_, vouch) in generations.vouches.all {
            let device = DeviceID(publicKey: vouch.device, using: crypto)
            guard let since = generations.line.firstIndex(of: vouch.generation),
                isIn(device, since: since)
            else { continue }
            vouched.formUnion(vouch.digests)
        }
        for session in state.sessions {
            for head in session.register.heads where !vouched.contains(head.digest.prefix16) {
                guard let origin = state.origins[head.dot.origin] else { continue }
                let tag = origin.record.generation
                let place = generations.line.firstIndex { $0.tag == tag }.map { $0 + 1 }
                if let since = place ?? (tag == nil ? 0 : nil), isIn(origin.device, since: since) {
                    continue
                }
                let what = "\(name(node, world)) has \(world.word(head.dot)) of who is out"
                fail(what, node, world)
            }
        }
    }

    /// What a member was told to be stored is a head, or a head has replaced it.
    private func checkKept(
        by node: Int,
        _ state: Conversation,
        _ members: [Int],
        _ world: World
    ) {
        for message in sent.values.sorted(by: { ($0.dot?.sequence ?? 0) < ($1.dot?.sequence ?? 0) })
        {
            guard let dot = message.dot, members.contains(message.node),
                let tag = world.nodes.lazy.compactMap({ other in
                    other.state(of: Room(world).table)?.keys.tag(
                        of: message.session,
                        using: other.crypto
                    )
                }).first
            else { continue }
            let heads = state.session(tag)?.register.heads.contains {
                $0.dot == dot || $0.hasInContext(dot)
                    || $0.dot.origin == dot.origin && $0.dot.sequence > dot.sequence
            }
            guard heads != true else { continue }
            let author = name(message.node, world)
            fail("\(name(node, world)) lost \(world.word(dot)) of \(author)", node, world)
        }
    }
}
