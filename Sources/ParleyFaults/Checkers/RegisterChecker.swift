import ParleyCore

/// In the end every session has the heads of its full history.
///
/// These are the envelopes that were ever on a disk and are not dominated. The checker computes the
/// heads without the register of the core. The promise does not hold in sessions with a Byzantine
/// writer, nor after data were lost or a node left: then some envelopes cannot reach all nodes.
package struct RegisterChecker: Checker {
    package static let promise = Promise("the heads of the full history")
    package static let watches: WorldEvent.Kinds = .persisted

    private let ledger: Ledger
    private var stored: [ConversationID: [SessionTag: Set<Dot>]] = [:]

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        guard case .persisted(let node, let persist) = event else { return }
        for case .session(let row) in persist.writes {
            guard let conversation = ledger.copies[node].numbers[row.conversation] else { continue }
            for head in row.heads {
                stored[conversation, default: [:]][row.tag, default: []].insert(head.dot)
            }
        }
    }

    package mutating func finish(in world: World) {
        guard !ledger.hasLost, ledger.copied.isEmpty, ledger.damaged.isEmpty else { return }
        for conversation in world.agreement.conversationIDs {
            for node in world.agreement.members(of: conversation) {
                look(conversation, at: node, world)
            }
        }
    }

    private func look(_ conversation: ConversationID, at node: Int, _ world: World) {
        for session in world.agreement.heads(of: conversation, at: node)
        where !ledger.byzantineSessions.contains(session.tag)
            && !ledger.hasFormerMember(session.tag, in: conversation, world)
        {
            var all = stored[conversation]?[session.tag] ?? []
            // Writes that are not durable yet count as well.
            for member in world.agreement.members(of: conversation) {
                let issued = ledger.copies[member].issued[conversation]?[session.tag]
                all.formUnion(issued?.heads ?? [])
            }
            let expected = heads(of: all, in: conversation, world)
            let actual = session.heads.map(\.dot)
            guard expected != actual else { continue }
            world.fail(
                Self.promise,
                by: [node],
                "\(world.nodes[node].name) has \(world.words(actual)) of "
                    + "\(world.word(session.tag)), and the history has \(world.words(expected))"
            )
            return
        }
    }

    /// The heads by brute force, each envelope compared with each other; the shown head first.
    private func heads(
        of dots: Set<Dot>,
        in conversation: ConversationID,
        _ world: World
    ) -> [Dot] {
        let all = dots.compactMap {
            ledger.written[Ledger.Key(conversation: conversation, dot: $0)]?.first
        }
        let orders = all.map { EnvelopeOrder($0, world) }
        let heads = all.indices.filter { one in
            !all.indices.contains { other in
                orders[one] < orders[other] && all[other].header.hasInContext(all[one].header.dot)
            }
        }
        return heads.sorted { orders[$0] > orders[$1] }.map { all[$0].header.dot }
    }
}
