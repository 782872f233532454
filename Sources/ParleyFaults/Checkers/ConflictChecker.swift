import ParleyCore

/// Every node reports each set of concurrent messages once, when all of them are on its disk.
///
/// It also reports two envelopes under one dot.
package struct ConflictChecker: Checker {
    package static let promise = Promise("every conflict is reported, its losers are kept")
    package static let watches: WorldEvent.Kinds = [
        .persisted, .delivered, .answered, .processes, .received,
    ]

    private struct Session: Hashable {
        let node: Int
        let number: UInt32
        let tag: SessionTag
    }

    private let ledger: Ledger
    /// Concurrent heads on disk that were not reported yet.
    private var unreported: [Session: (heads: Set<Dot>, since: Moment)] = [:]
    /// The heads of the last report.
    private var reported: [Session: [Dot]] = [:]
    /// The heads that a process found on its disk: its caller asks for conflicts among them.
    private var found: [Session: Set<Dot>] = [:]
    private var envelopes: [HeadOnDisk: Slice] = [:]
    /// The number of inputs of each node in the current step.
    private var heard: [Int: Int] = [:]

    private struct HeadOnDisk: Hashable {
        let node: Int
        let tag: SessionTag
        let dot: Dot
    }

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .persisted(let node, let persist):
            for case .session(let row) in persist.writes
            where !mayLetGo(row.tag, row.conversation, at: node, world) {
                stored(row, node, world)
            }
        case .delivered(let node, .conflict(let conflict)):
            guard !mayLetGo(conflict.tag, conflict.conversation, at: node, world) else { return }
            take(conflict, node, world)
        case .input(let node, _): heard[node, default: 0] += 1
        case .answered(let node, let effects):
            lookForEquivocations(node, effects, world)
            heard[node] = nil
        case .started(let node):
            found = found.filter { $0.key.node != node }
            for row in world.nodes[node].disk.rows.values {
                let session = Session(node: node, number: row.conversation, tag: row.tag)
                found[session] = Set(row.heads.map(\.dot))
            }
        case .ended(let node, _):
            unreported = unreported.filter { $0.key.node != node }
            reported = reported.filter { $0.key.node != node }
            envelopes = envelopes.filter { $0.key.node != node }
        default: break
        }
    }

    package mutating func finish(in world: World) {
        let open = unreported.filter { session, _ in
            // Conversations that were left do not count.
            let isHere =
                world.nodes[session.node].machine?.conversations
                .contains { $0.number == session.number } ?? false
            return isHere && !mayLetGo(session.tag, session.number, at: session.node, world)
        }
        for (session, open) in open.sorted(by: { $0.value.since < $1.value.since }) {
            fail(
                "never reports that \(world.words(open.heads.sorted())) of "
                    + "\(world.word(session.tag)) are concurrent",
                by: session.node,
                world
            )
            return
        }
    }

    private func mayLetGo(
        _ tag: SessionTag,
        _ number: UInt32,
        at node: Int,
        _ world: World
    ) -> Bool {
        let room = Room(world).table
        return world.number(of: room, at: node) == number
            && ledger.mayLetGo(tag, in: room.id, at: node, world)
    }

    private mutating func stored(_ row: SessionRow, _ node: Int, _ world: World) {
        let session = Session(node: node, number: row.conversation, tag: row.tag)
        let heads = Set(row.heads.map(\.dot))
        guard heads.count > 1 else {
            unreported[session] = nil
            return
        }
        // A row may be written again without a change of its heads.
        guard reported[session].map({ Set($0) }) != heads, found[session] != heads else { return }
        unreported[session] = (heads, world.now)
    }

    private mutating func take(_ conflict: SessionConflict, _ node: Int, _ world: World) {
        let session = Session(node: node, number: conflict.conversation, tag: conflict.tag)
        if unreported[session]?.heads == Set(conflict.heads) { unreported[session] = nil }
        if conflict.heads.count > 1, reported[session] == conflict.heads,
            !ledger.byzantineSessions.contains(conflict.tag), ledger.copied.isEmpty
        {
            fail("reports twice that \(words(conflict, world)) are concurrent", by: node, world)
        }
        reported[session] = conflict.heads
        guard let conversation = ledger.copies[node].numbers[conflict.conversation] else { return }
        let isKept = conflict.heads.allSatisfy {
            ledger.isOnDisk($0, of: conflict.tag, in: conversation, at: node)
                || ledger.byzantineSessions.contains(conflict.tag)
        }
        guard !isKept else { return }
        fail("reports \(words(conflict, world)) and does not keep them all", by: node, world)
    }

    private func words(_ conflict: SessionConflict, _ world: World) -> String {
        "\(world.words(conflict.heads)) of \(world.word(conflict.tag))"
    }

    /// An envelope that replaces another with the same dot must be reported as an equivocation.
    ///
    /// If other heads changed in the same step, or the step had several inputs, the first envelope
    /// may have been replaced in the regular manner before.
    private mutating func lookForEquivocations(
        _ node: Int,
        _ effects: Effects,
        _ world: World
    ) {
        let isOneThing = heard[node, default: 0] < 2
        for case .session(let row) in effects.persist?.writes ?? [] {
            let before = ledger.headsBefore(of: row.tag, row.conversation, at: node)
            let isChanged = before != Set(row.heads.map(\.dot))
            for head in row.heads {
                guard let bytes = head.envelope else { continue }
                let end = HeadOnDisk(node: node, tag: row.tag, dot: head.dot)
                guard let old = envelopes.updateValue(bytes, forKey: end), old != bytes,
                    !isChanged, isOneThing,
                    !effects.deliveries.contains(where: { $0.isEquivocation(of: head.dot) })
                else { continue }
                fail("does not report two envelopes \(world.word(head.dot))", by: node, world)
            }
        }
    }

    private func fail(_ what: String, by node: Int, _ world: World) {
        world.fail(Self.promise, by: [node], "\(world.nodes[node].name) \(what)")
    }
}

extension Delivery {
    fileprivate func isEquivocation(of dot: Dot) -> Bool {
        if case .equivocation(_, _, dot) = self { true } else { false }
    }
}
