import ParleyCore

/// A message replaces exactly the heads at its author's node, and its context says so.
///
/// If the person named heads, the message replaces these. People write only in turn, and no dot is
/// used twice.
package struct AuthoringChecker: Checker {
    package static let promise = Promise("nothing is replaced unseen")
    package static let watches: WorldEvent.Kinds = [.inputs, .answered, .delivered]

    private struct Request {
        let node: Int
        let number: UInt32
        let named: [Dot]
    }

    private let ledger: Ledger
    private var asked: [RequestID: Request] = [:]
    /// The number of messages in the last request of each node.
    private var together: [Int: Int] = [:]
    /// The nodes that received bytes in the current step.
    private var hearing: Set<Int> = []

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .authored(let requests)):
            together[node] = requests.count
            for request in requests {
                guard let named = request.replacing else { continue }
                asked[request.request] = Request(
                    node: node,
                    number: request.conversation,
                    named: named
                )
            }
        case .input(let node, .received): hearing.insert(node)
        case .input(let node, .committed):
            // Requests that waited for a commit may be carried out together now.
            together[node] = nil
        case .answered(let node, _):
            for key in ledger.copies[node].news { look(at: key, node, world) }
            hearing.remove(node)
        case .delivered(_, .answer(let request, let answer)):
            guard let asked = asked.removeValue(forKey: request),
                case .stored(let message) = answer
            else { return }
            compare(asked, message.dot, world)
        default: break
        }
    }

    private func look(at key: Ledger.Key, _ node: Int, _ world: World) {
        guard let envelopes = ledger.written[key], let header = envelopes.last?.header else {
            return
        }
        if envelopes.count > 1, !ledger.copied.contains(world.nodes[node].device),
            envelopes.allSatisfy({ $0.node != nil })
        {
            fail("uses \(world.word(key.dot)) twice", by: node, world)
        }
        let before = ledger.copies[node].before[key.conversation]?[header.tag]?.heads ?? []
        // The heads that a copy of a device knew are not certain.
        guard ledger.copied.isEmpty, !ledger.byzantineSessions.contains(header.tag) else { return }
        // Another message of the same step may stand in between.
        let isAlone = ledger.copies[node].news.count { other in
            ledger.header(other.dot, in: other.conversation)?.tag == header.tag
        }
        for head in before where !header.hasInContext(head) {
            fail("replaces \(world.word(head)) without saying so", by: node, world)
        }
        // So may an envelope that arrived in the same step.
        guard isAlone == 1, !hearing.contains(node) else { return }
        // So may a message of another author of the node that was replaced in the same step, and
        // never handed to the store.
        let hasHidden = header.context.contains { dot in
            ledger.header(dot, in: key.conversation) == nil
                && ledger.author(of: dot)?.node == world.nodes[node].device
        }
        guard !hasHidden else { return }
        let context = Self.context(before, in: key.conversation, ledger, besides: key.dot.origin)
        let highest = before.compactMap { ledger.header($0, in: key.conversation)?.revision }.max()
        // A message that was replaced in the same step was never handed to the store.
        let previous = Dot(origin: key.dot.origin, sequence: key.dot.sequence - 1)
        let isNext =
            ledger.header(previous, in: key.conversation) != nil && together[node] == 1
        let revision = (highest ?? 0) + 1
        if header.context != context || header.revision < revision
            || isNext && header.revision != revision
        {
            fail("writes \(world.word(key.dot)) with a context of its own", by: node, world)
        }
        checkTurn(of: key, before, node, world)
    }

    private func checkTurn(of key: Ledger.Key, _ before: [Dot], _ node: Int, _ world: World) {
        guard let participant = ledger.author(of: key.dot)?.participant else { return }
        for head in before {
            let next = ledger.header(head, in: key.conversation)?.next ?? []
            guard !next.isEmpty, !next.contains(participant) else { continue }
            fail("lets somebody write out of turn after \(world.word(head))", by: node, world)
        }
    }

    /// Checks that the context of a message is made of the named heads and their contexts.
    private func compare(_ asked: Request, _ dot: Dot, _ world: World) {
        guard let conversation = ledger.copies[asked.node].numbers[asked.number],
            let header = ledger.header(dot, in: conversation),
            !ledger.byzantineSessions.contains(header.tag),
            // Two envelopes may have this dot.
            ledger.copied.isEmpty
        else { return }
        let context = Self.context(asked.named, in: conversation, ledger, besides: dot.origin)
        guard header.context != context else { return }
        let what = "replaces with \(world.word(dot)) other messages than were named"
        fail(what, by: asked.node, world)
    }

    private static func context(
        _ heads: [Dot],
        in conversation: ConversationID,
        _ ledger: Ledger,
        besides origin: OriginID
    ) -> [Dot] {
        var highest: [OriginID: UInt64] = [:]
        for head in heads {
            let header = ledger.header(head, in: conversation)
            for dot in (header?.context ?? []) + [head] where dot.origin != origin {
                highest[dot.origin] = max(highest[dot.origin] ?? 0, dot.sequence)
            }
        }
        return highest.map { Dot(origin: $0.key, sequence: $0.value) }.sorted()
    }

    private func fail(_ what: String, by node: Int, _ world: World) {
        world.fail(Self.promise, by: [node], "\(world.nodes[node].name) \(what)")
    }
}
