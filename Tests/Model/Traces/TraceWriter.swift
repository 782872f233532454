import ParleyCore
import ParleyFaults

/// Writes what a world does with one conversation as steps of the model.
///
/// Positions and sequences are those of the run. Nodes, sessions, origins, incarnations and
/// envelopes have numbers from 1 on, in the order in which they come up.
final class TraceWriter: Checker {
    static let watches: WorldEvent.Kinds = [
        .inputs, .answered, .persisted, .processes, .sent, .delivered, .faults, .ending,
    ]

    /// The number of nodes that are no copies.
    var nodes = 0
    private let conversation = SimulatedConversation(1).id
    private var sessions: [SessionTag: Int] = [:]
    private var origins: [OriginID: Int] = [:]
    private var incarnations: [UInt64: Int] = [:]
    private var envelopes: [TracedEnvelope] = []
    /// The numbers of the envelopes under each dot.
    private var numbers: [Dot: [Int]] = [:]
    private var sent: Set<[Int]> = []
    /// What is known of each node's disk, to find what got there unseen.
    private var rows: [[SessionTag: SessionRow]] = []
    private var cursors: [[DeviceID: FeedCursor]] = []
    private var runs: [String] = []
    private var steps: [String] = []
    /// The node of which the next new node is a copy.
    private var copied: Int?
    /// The inputs of each node in the current step.
    private var inputs: [Int: [NodeInput]] = [:]

    var sessionCount: Int { sessions.count }

    // MARK: Watching

    func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, let input): inputs[node, default: []].append(input)
        case .answered(let node, let effects): answered(node, effects, world)
        case .persisted(let node, let persist): persisted(node, persist.writes, world)
        case .started(let node): started(node, world)
        case .sent(let node, _, _, let bytes): sent(bytes, by: node)
        case .delivered(let node, .answer(_, .stored(let message))):
            for number in numbers[message.dot] ?? [] { add("acknowledge", node, "\(number)") }
        case .fault(.clone(let node, _)): copied = node
        case .converged:
            guard world.nodes.count == nodes else { return }
            let members = world.nodes.indices.filter { number(in: world, of: $0) != nil }
            steps.append("<<\"agree\", {\(members.map { "\($0 + 1)" }.joined(separator: ","))}>>")
        default: break
        }
    }

    private func add(_ name: String, _ node: Int, _ values: String...) {
        steps.append(
            "<<" + (["\"\(name)\"", "\(node + 1)"] + values).joined(separator: ",") + ">>"
        )
    }

    /// The number of the conversation at a node; nil if the node is not a member.
    private func number(in world: World, of node: Int) -> UInt32? {
        let running = world.nodes[node].machine?.conversations
            .first { $0.record.id == conversation }
        let stored = world.nodes[node].disk.conversations.values
            .first { $0.record.id == conversation }
        return running?.record.number ?? stored?.record.number
    }

    private func answered(_ node: Int, _ effects: Effects, _ world: World) {
        let inputs = inputs.removeValue(forKey: node) ?? []
        guard let writes = effects.persist?.writes, let number = number(in: world, of: node) else {
            return
        }
        var isAlone = false
        if case .authored(let requests)? = inputs.first {
            isAlone = inputs.count == 1 && requests.count == 1
        }
        var changed: [SessionRow] = []
        var begins = false
        for write in writes {
            switch write {
            case .session(let row) where row.conversation == number: changed.append(row)
            case .incarnationStarted(number, _): begins = true
            default: break
            }
        }
        if begins { add("begin", node, incarnations(of: node, after: writes, number, world)) }
        for row in changed.sorted(by: { $0.position < $1.position }) {
            change(row, at: node, isAlone: isAlone)
        }
    }

    private func change(_ row: SessionRow, at node: Int, isAlone: Bool) {
        var news: [Int] = []
        let heads = row.heads.map { head in
            let known = envelope(of: head)
            guard known == nil, let bytes = head.envelope, let new = note(bytes, row.tag, node)
            else { return known ?? 0 }
            news.append(new)
            return new
        }
        add(
            "change",
            node,
            "\(session(row.tag))",
            set(heads),
            set(news),
            "\(row.position)",
            isAlone ? "TRUE" : "FALSE"
        )
    }

    /// The number of a head's envelope; nil if the envelope is new.
    private func envelope(of head: StoredHead) -> Int? {
        let known = numbers[head.dot] ?? []
        guard let bytes = head.envelope else { return known.last }
        return known.first { envelopes[$0 - 1].bytes == bytes }
    }

    private func note(_ bytes: Slice, _ tag: SessionTag, _ node: Int) -> Int? {
        guard let header = (try? Envelope(decoding: bytes))?.header else { return nil }
        for dot in [header.dot] + header.context where origins[dot.origin] == nil {
            origins[dot.origin] = origins.count + 1
        }
        envelopes.append(TracedEnvelope(header: header, bytes: bytes, node: node))
        numbers[header.dot, default: []].append(envelopes.count)
        return envelopes.count
    }

    private func persisted(_ node: Int, _ writes: [StoreWrite], _ world: World) {
        guard let number = number(in: world, of: node) else { return }
        var newRows: [SessionRow] = []
        var newCursors: [(DeviceID, FeedCursor)] = []
        var isOfFeed = false
        for write in writes {
            switch write {
            case .session(let row) where row.conversation == number: newRows.append(row)
            case .cursor(number, let peer, let cursor): newCursors.append((peer, cursor))
            case .incarnationStarted(number, _), .incarnationsForgotten(number): isOfFeed = true
            default: break
            }
        }
        commit(newRows, newCursors, isOfFeed: isOfFeed, at: node, world)
    }

    private func commit(
        _ newRows: [SessionRow],
        _ newCursors: [(DeviceID, FeedCursor)],
        isOfFeed: Bool,
        at node: Int,
        _ world: World
    ) {
        guard isOfFeed || !newRows.isEmpty || !newCursors.isEmpty else { return }
        grow(to: node)
        for row in newRows { rows[node][row.tag] = row }
        for (peer, cursor) in newCursors { cursors[node][peer] = cursor }
        let rowsText = newRows.map { row in
            let heads = row.heads.map { envelope(of: $0) ?? 0 }
            return "<<\(session(row.tag)),\(set(heads)),\(row.position)>>"
        }
        let cursorsText = newCursors.compactMap { peer, cursor -> String? in
            guard let place = world.nodes.firstIndex(where: { $0.device == peer }) else {
                return nil
            }
            return "<<\(place + 1),\(incarnation(cursor.incarnation)),\(cursor.position)>>"
        }
        runs[node] = incarnationsOnDisk(of: node, world)
        add(
            "commit",
            node,
            "{\(rowsText.joined(separator: ","))}",
            "{\(cursorsText.joined(separator: ","))}",
            runs[node]
        )
    }

    private func grow(to node: Int) {
        while rows.count <= node {
            rows.append([:])
            cursors.append([:])
            runs.append(words([]))
        }
    }

    /// A process starts from a disk, on which a commit in doubt may have left more than was
    /// reported.
    private func started(_ node: Int, _ world: World) {
        inputs[node] = nil
        if let source = copied, node >= nodes, node >= rows.count {
            grow(to: node)
            rows[node] = rows[source]
            cursors[node] = cursors[source]
            runs[node] = incarnationsOnDisk(of: node, world)
            add("copy", node, "\(source + 1)", runs[node])
            copied = nil
        }
        grow(to: node)
        let disk = world.nodes[node].disk
        guard let number = number(in: world, of: node), let state = disk.conversations[number]
        else {
            return add("start", node, "<<>>")
        }
        let unseen = disk.sortedRows.filter { row in
            row.conversation == number && rows[node][row.tag]?.position != row.position
        }
        let unseenCursors = state.cursors.filter { cursors[node][$0.key] != $0.value }
            .sorted { $0.key < $1.key }
        let isOfFeed = runs[node] != incarnationsOnDisk(of: node, world)
        commit(
            unseen,
            unseenCursors.map { ($0.key, $0.value) },
            isOfFeed: isOfFeed,
            at: node,
            world
        )
        add("start", node, incarnationsOnDisk(of: node, world))
    }

    private func sent(_ bytes: Slice, by node: Int) {
        for frame in SentFrames(bytes) where frame.type == FrameType.envelope.rawValue {
            guard let push = try? EnvelopeFrame(decoding: frame.body),
                let envelope = try? Envelope(decoding: push.envelope)
            else { continue }
            for number in numbers[envelope.header.dot] ?? []
            where envelopes[number - 1].node == node && sent.insert([node, number]).inserted {
                add("send", node, "\(number)")
            }
        }
    }

    // MARK: Writing

    private func session(_ tag: SessionTag) -> Int {
        if let known = sessions[tag] { return known }
        sessions[tag] = sessions.count + 1
        return sessions.count
    }

    private func incarnation(_ id: UInt64) -> Int {
        if id == 0 { return 0 }
        if let known = incarnations[id] { return known }
        incarnations[id] = incarnations.count + 1
        return incarnations.count
    }

    private func set(_ numbers: [Int]) -> String {
        "{\(numbers.map { "\($0)" }.joined(separator: ","))}"
    }

    private func words(_ runs: [FeedIncarnation]) -> String {
        let texts = runs.map { "[id|->\(incarnation($0.id)),start|->\($0.start)]" }
        return "<<\(texts.joined(separator: ","))>>"
    }

    private func incarnationsOnDisk(of node: Int, _ world: World) -> String {
        let state = world.nodes[node].disk.conversations.values
            .first { $0.record.id == conversation }
        return words(state?.incarnations ?? [])
    }

    /// The incarnations of a process that just wrote about them.
    private func incarnations(
        of node: Int,
        after writes: [StoreWrite],
        _ number: UInt32,
        _ world: World
    ) -> String {
        var runs = world.nodes[node].disk.conversations[number]?.incarnations ?? []
        for write in writes {
            switch write {
            case .incarnationsForgotten(number): runs = []
            case .incarnationStarted(number, let run): runs.append(run)
            default: break
            }
        }
        return words(runs)
    }

    /// The trace as a record, once the run has ended.
    func trace(seed: UInt64) -> String {
        let order = envelopes.map(\.header.tieBreak).sorted { $0.words < $1.words }
        let records = envelopes.map { envelope in
            let header = envelope.header
            let context = header.context.map { "<<\(origins[$0.origin] ?? 0),\($0.sequence)>>" }
            let tie = order.firstIndex { $0.words == header.tieBreak.words } ?? 0
            return "[session|->\(session(header.tag)),origin|->\(origins[header.dot.origin] ?? 0),"
                + "sequence|->\(header.dot.sequence),revision|->\(header.revision),"
                + "context|->{\(context.joined(separator: ","))},digest|->0,"
                + "author|->\(envelope.node + 1),past|->{},tie|->\(tie)]"
        }
        return "[seed|->\(seed),\nenvelopes|-><<\(records.joined(separator: ",\n"))>>,\n"
            + "steps|-><<\(steps.joined(separator: ",\n"))>>]"
    }
}

/// An envelope with its author's node.
private struct TracedEnvelope {
    let header: EnvelopeHeader
    let bytes: Slice
    let node: Int
}
