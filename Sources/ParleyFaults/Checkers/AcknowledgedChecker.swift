import ParleyCore

/// An acknowledged message is a head (shown or in conflict), or a head has replaced it.
///
/// - When a message is acknowledged, the disk of its author has it.
/// - With each commit and at each start of a node, the disk keeps all messages that it kept before.
///   Excused are only a process that leaves the conversation, and a fault that takes a session from
///   the disk or sets the disk back.
/// - In the end every member keeps the messages that any member keeps. So a missing message is on
///   no disk any more, and each disk lost it with an excuse.
///
/// `SessionHistory` says which messages heads keep, and which replacements are excused. The promise
/// holds for each message of any node, as a node acknowledges everything on its disk.
///
/// The checker is inexact in two cases. A commit may hold the result of several merges, and the
/// messages between its old and its new heads need not have been on the disk. So a chain of excused
/// replacements is believed even if a part of it never reached the node. And a session with
/// `Limits.heads` heads may drop the lowest, so commits that leave that many are not compared.
package struct AcknowledgedChecker: Checker {
    package static let promise = Promise("acknowledged is kept")
    package static let watches: WorldEvent.Kinds = [
        .authored, .answered, .persisted, .delivered, .processes, .membership, .intrusions, .faults,
    ]

    private struct Session: Hashable {
        let conversation: ConversationID
        let tag: SessionTag
    }

    private struct Request {
        let node: Int
        let session: Session
        let time: Moment
    }

    /// Where the row of a session is: a node that joins a conversation again has another number
    /// for it.
    private struct Place: Hashable {
        let number: UInt32
        let session: Session
    }

    /// The heads of sessions, as indices of their histories.
    private typealias Heads = [Place: [Int]]

    private struct Copy {
        /// The disk, as of the last commit or start.
        var heads: Heads = [:]
        /// The messages that the node wrote and its disk lost, by a fault or because the node left.
        var lost: [Session: Set<Int>] = [:]
        /// Whether a fault changed the disk since the last start.
        var isDamaged = false
        /// The numbers of the conversations that the process was asked to leave.
        var leaving: Set<UInt32> = []
    }

    private let ledger: Ledger
    private var asked: [RequestID: Request] = [:]
    private var histories: [Session: SessionHistory] = [:]
    private var copies: [Int: Copy] = [:]

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .authored(let requests)): note(requests, node, world)
        case .answered(let node, _):
            for key in ledger.copies[node].news { wrote(key, node, world) }
        case .byzantineWrite(let bytes, let conversation), .wrote(let bytes, let conversation):
            add(bytes, in: conversation, by: .byzantine, world)
        case .persisted(let node, let persist):
            for write in persist.writes { took(write, node, world) }
        case .delivered(_, .answer(let request, .stored(let message))):
            guard let request = asked.removeValue(forKey: request) else { return }
            expect(message.dot, request, world)
        case .started(let node): started(node, world)
        case .left(let node, let conversation):
            if let number = number(of: conversation, at: node, world) {
                copies[node, default: Copy()].leaving.insert(number)
            }
            asked = asked.filter { _, request in
                request.node != node || request.session.conversation != conversation
            }
        case .fault(let fault): note(fault, world)
        default: break
        }
    }

    package mutating func finish(in world: World) {
        for node in world.nodes.indices where world.nodes[node].isRunning {
            change(node, to: heads(on: node, world), world)
        }
        for conversation in world.agreement.conversationIDs {
            for group in world.agreement.groups(of: conversation) {
                compare(group, conversation, world)
            }
        }
    }

    // MARK: Histories

    private func number(of id: ConversationID, at node: Int, _ world: World) -> UInt32? {
        world.nodes[node].machine?.conversations.first { $0.record.id == id }?.number
    }

    private mutating func note(_ requests: [AuthorRequest], _ node: Int, _ world: World) {
        for request in requests {
            guard
                let state = world.nodes[node].machine?.conversations.first(where: {
                    $0.number == request.conversation
                }),
                let tag = world.nodes[node].machine?.conversation(request.conversation)?.tag(
                    of: request.body.session,
                    using: world.nodes[node].crypto
                )
            else { continue }
            asked[request.request] = Request(
                node: node,
                session: Session(conversation: state.record.id, tag: tag),
                time: world.now
            )
        }
    }

    /// A node wrote an envelope in the current step of the ledger.
    private mutating func wrote(_ key: Ledger.Key, _ node: Int, _ world: World) {
        guard let written = ledger.written[key]?.last(where: { $0.node == node }) else { return }
        let session = Session(conversation: key.conversation, tag: written.header.tag)
        let before = ledger.copies[node].before[session.conversation]?[session.tag]?.heads ?? []
        let lost = copies[node]?.lost[session] ?? []
        histories[session, default: SessionHistory()].add(
            written,
            by: .node(node),
            origins: ledger.origins(besides: key.dot.origin)
        )
        histories[session]?.noteForgotten(
            after: before,
            // Another node with the same origin is a copy.
            isExcused: { index, author in author != .node(node) || lost.contains(index) }
        )
    }

    /// Adds an envelope that no node wrote to the history, unless the envelope is known.
    @discardableResult
    private mutating func add(
        _ bytes: Slice,
        in conversation: ConversationID,
        by author: SessionHistory.Author,
        _ world: World
    ) -> Int? {
        // The head of a damaged row cannot be decoded.
        guard let header = (try? Envelope(decoding: bytes))?.header else { return nil }
        let session = Session(conversation: conversation, tag: header.tag)
        if let known = histories[session]?.index(of: header.dot, bytes) { return known }
        let written = Ledger.Written(
            header: header,
            bytes: bytes,
            node: nil,
            conversation: conversation,
            time: world.now
        )
        return histories[session, default: SessionHistory()].add(written, by: author)
    }

    // MARK: Disks

    private mutating func heads(on node: Int, _ world: World) -> Heads {
        var heads: Heads = [:]
        for row in world.nodes[node].disk.sortedRows {
            guard let (place, found) = self.heads(of: row, on: node, world) else { continue }
            heads[place] = found
        }
        return heads
    }

    private mutating func heads(
        of row: SessionRow,
        on node: Int,
        _ world: World
    ) -> (Place, [Int])? {
        guard let id = world.nodes[node].disk.conversations[row.conversation]?.record.id else {
            return nil
        }
        let session = Session(conversation: id, tag: row.tag)
        let place = Place(number: row.conversation, session: session)
        let heads = row.heads.compactMap { head in
            if let bytes = head.envelope {
                return histories[session]?.index(of: head.dot, bytes)
                    ?? add(bytes, in: id, by: .nobody, world)
            }
            // A commit that was in doubt is repeated, and by its end the head has been replaced.
            return copies[node]?.heads[place]?.first {
                histories[session]?.entries[$0].written.header.dot == head.dot
            }
        }
        return (place, heads)
    }

    private mutating func took(_ write: StoreWrite, _ node: Int, _ world: World) {
        switch write {
        case .session(let written):
            // The row on disk has the bytes of heads that did not change as well.
            guard let row = world.nodes[node].disk.rows[written.row],
                let (place, heads) = heads(of: row, on: node, world)
            else { return }
            let old = copies[node]?.heads[place] ?? []
            compare(old, heads, of: place.session, on: node, world, "after a commit")
            copies[node, default: Copy()].heads[place] = heads
        case .conversationLeft(let number):
            change(node, to: copies[node]?.heads.filter { $0.key.number != number } ?? [:], world)
        default: break
        }
    }

    private mutating func started(_ node: Int, _ world: World) {
        change(node, to: heads(on: node, world), world)
        copies[node]?.isDamaged = false
        copies[node]?.leaving = []
    }

    /// The disk of a node has other heads now.
    private mutating func change(_ node: Int, to heads: Heads, _ world: World) {
        var copy = copies[node] ?? Copy()
        let changed = copy.heads.filter { heads[$0.key] != $0.value }
        for (place, old) in changed.sorted(by: { $0.key.session.tag < $1.key.session.tag }) {
            let new = heads[place] ?? []
            if copy.isDamaged || copy.leaving.contains(place.number) {
                let lost = histories[place.session]?.lost(from: old, to: new, by: node, world) ?? []
                copy.lost[place.session, default: []].formUnion(lost)
            } else {
                compare(old, new, of: place.session, on: node, world, "any more")
            }
        }
        copy.heads = heads
        copies[node] = copy
    }

    /// The fault is about to happen, and the process crashes with it.
    private mutating func note(_ fault: Fault, _ world: World) {
        switch fault {
        case .lostRow(let node, _), .damagedRow(let node, _):
            guard world.nodes.indices.contains(node), !world.nodes[node].disk.rows.isEmpty else {
                return
            }
            copies[node, default: Copy()].isDamaged = true
        case .restore(let node, _):
            guard world.nodes.indices.contains(node), world.nodes[node].backup != nil else {
                return
            }
            copies[node, default: Copy()].isDamaged = true
        default: break
        }
    }

    // MARK: Judging

    private func expect(_ dot: Dot, _ request: Request, _ world: World) {
        let (node, session) = (request.node, request.session)
        // A session without a message on any disk has no history, and nothing is kept.
        let history = histories[session] ?? SessionHistory()
        // A message that was written and replaced in the same step was never stored.
        let index = history.index(of: dot, by: node, since: request.time)
        let isKept = heads(of: session, on: node, world).contains { head in
            index.map { history.keeps(head, $0, world) }
                ?? history.entries[head].written.header.hasInContext(dot)
        }
        guard !isKept else { return }
        fail(dot, session, on: node, world, "although it was acknowledged just now")
    }

    /// The heads of a session on the disk of a node at this moment.
    private func heads(of session: Session, on node: Int, _ world: World) -> [Int] {
        let disk = world.nodes[node].disk
        let row = disk.rows.values.first { row in
            row.tag == session.tag
                && disk.conversations[row.conversation]?.record.id == session.conversation
        }
        return (row?.heads ?? []).compactMap { head in
            head.envelope.flatMap { histories[session]?.index(of: head.dot, $0) }
        }
    }

    private func compare(
        _ old: [Int],
        _ new: [Int],
        of session: Session,
        on node: Int,
        _ world: World,
        _ when: String
    ) {
        guard old != new, new.count < Limits.heads, let history = histories[session],
            let lost = history.lost(from: old, to: new, world).first,
            !ledger.mayLetGo(session.tag, in: session.conversation, at: node, world)
        else { return }
        fail(history.entries[lost].written.header.dot, session, on: node, world, when)
    }

    /// Compares the messages that the members of a group keep.
    private func compare(_ group: [Int], _ conversation: ConversationID, _ world: World) {
        let numbers = group.map { number(of: conversation, at: $0, world) ?? 0 }
        let sessions = histories.keys.filter { $0.conversation == conversation }
        for session in sessions.sorted(by: { $0.tag < $1.tag }) {
            let heads = zip(group, numbers).map { node, number in
                copies[node]?.heads[Place(number: number, session: session)] ?? []
            }
            for (node, mine) in zip(group, heads) {
                for theirs in heads {
                    compare(theirs, mine, of: session, on: node, world, "in the end")
                }
            }
        }
    }

    private func fail(
        _ dot: Dot,
        _ session: Session,
        on node: Int,
        _ world: World,
        _ when: String
    ) {
        world.fail(
            Self.promise,
            by: [node],
            "\(world.nodes[node].name) does not have \(world.word(dot)) of "
                + "\(world.word(session.tag)) on its disk, nor what replaced it, \(when)"
        )
    }
}
