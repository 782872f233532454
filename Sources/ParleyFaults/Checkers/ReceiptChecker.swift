import ParleyCore

/// Authors hear of devices that have their messages: never of too many, and after a while of all.
///
/// Counted are devices of readers and writers with the message, or a later message of its origin
/// and session, on disk. The author's own device and relays are not.
package struct ReceiptChecker: Checker {
    package static let promise = Promise("receipts tell the truth")
    package static let watches: WorldEvent.Kinds = [
        .authored, .delivered, .persisted, .processes, .faults, .ending,
    ]

    private struct Series: Hashable {
        let conversation: ConversationID
        let tag: SessionTag
        let origin: OriginID
    }

    private struct Request: Hashable {
        let node: Int
        let request: RequestID
    }

    /// The highest sequence that each device had on disk.
    private var stored: [Series: [DeviceID: UInt64]] = [:]
    private var conversations: [Request: UInt32] = [:]
    private var messages: [Request: AuthoredMessage] = [:]
    /// The moment since which nothing was stored, and no process began or ended.
    private var quietSince = Moment.start
    /// Whether a disk was changed from outside, behind the back of its node.
    private var areDisksChanged = false

    /// The time after which authors know all.
    private static let patience = Interval.seconds(15)

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .persisted(let node, let persist):
            for case .session(let row) in persist.writes { note(row, at: node, world) }
        case .started: quietSince = world.now
        case .ended(let node, _):
            quietSince = world.now
            // A commit may have reached the disk although its process ended before the answer.
            for row in world.nodes[node].disk.sortedRows { note(row, at: node, world) }
        case .fault(let fault):
            quietSince = world.now
            switch fault {
            case .restore, .clone, .lostRow, .damagedRow, .damagedBlob, .disk:
                areDisksChanged = true
            default: break
            }
        case .input(let node, .authored(let requests)):
            for request in requests {
                let key = Request(node: node, request: request.request)
                conversations[key] = request.conversation
            }
        case .delivered(let node, .answer(let request, .stored(let message))):
            messages[Request(node: node, request: request)] = message
        case .delivered(let node, .delivered(let request, let count)):
            // A node whose disk was set back gives new messages the names of lost ones.
            guard !areDisksChanged else { return }
            check(count, Request(node: node, request: request), world)
        default: break
        }
    }

    private mutating func note(_ row: SessionRow, at node: Int, _ world: World) {
        quietSince = world.now
        guard let record = world.nodes[node].disk.conversations[row.conversation]?.record,
            record.capability.role != .relay
        else { return }
        for head in row.heads {
            let series = Series(conversation: record.id, tag: row.tag, origin: head.dot.origin)
            let device = world.nodes[node].device
            let before = stored[series]?[device] ?? 0
            stored[series, default: [:]][device] = max(before, head.dot.sequence)
        }
    }

    private func check(_ count: Int, _ request: Request, _ world: World) {
        guard let message = messages[request], let number = conversations[request],
            let record = world.nodes[request.node].disk.conversations[number]?.record,
            let tag = world.nodes[request.node].machine?.conversation(number)?
                .tag(of: message.session, using: world.nodes[request.node].crypto)
        else { return }
        let series = Series(conversation: record.id, tag: tag, origin: message.dot.origin)
        let own = world.nodes[request.node].device
        let truth = stored[series]?.count { $0.key != own && $0.value >= message.dot.sequence } ?? 0
        guard count > truth else { return }
        fail(
            "hears of \(count) devices with \(world.word(message.dot)), and \(truth) had it",
            by: request.node,
            world
        )
    }

    package mutating func finish(in world: World) {
        guard !areDisksChanged, world.now - quietSince >= Self.patience,
            world.nodes.allSatisfy({ $0.isRunning && !$0.isByzantine })
        else { return }
        for (node, author) in world.nodes.enumerated() {
            guard let machine = author.machine else { continue }
            for conversation in machine.conversations.all
            where conversation.role == .writer && conversation.standing == .member {
                for session in conversation.sessions {
                    for head in session.heads where conversation.isOwn(head.dot.origin) {
                        check(head, of: session.tag, in: conversation, of: machine, by: node, world)
                    }
                }
            }
        }
    }

    private func check(
        _ head: HeadRecord,
        of tag: SessionTag,
        in conversation: Conversation,
        of machine: NodeMachine,
        by node: Int,
        _ world: World
    ) {
        let heard = machine.author.receipts.count(of: head.dot, in: conversation.number)
        let holders = world.nodes.filter { other in
            guard other.device != machine.device,
                let copy = other.machine?.conversations.first(where: {
                    $0.record.id == conversation.record.id
                }), copy.role != .relay, copy.standing == .member
            else { return false }
            return copy.sessions.contains { $0.record(of: head.dot) != nil }
        }
        let truth = Set(holders.map(\.device)).count
        // Former members, and who has left, may have reported the message before.
        let series = Series(
            conversation: conversation.record.id,
            tag: tag,
            origin: head.dot.origin
        )
        let ever = stored[series]?
            .count { $0.key != machine.device && $0.value >= head.dot.sequence }
        let most = max(truth, ever ?? 0)
        guard !(truth...most).contains(heard) else { return }
        fail(
            "has heard of \(heard) devices with \(world.word(head.dot)), and \(truth) have it",
            by: node,
            world
        )
    }

    private func fail(_ what: String, by node: Int, _ world: World) {
        world.fail(Self.promise, by: [node], "\(world.nodes[node].name) \(what)")
    }
}
