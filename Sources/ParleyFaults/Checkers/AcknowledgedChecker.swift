import ParleyCore

/// What was acknowledged stays: it is a head (shown, or the loser of an open conflict), or a head
/// has replaced it.
///
/// At once on the disk of the author's node when it says so; again after each of its starts; and in
/// the end on every member's. What an author's node acknowledged on a disk that was damaged, or set
/// back to a backup, is only expected where it was seen otherwise, so it is not expected at all.
/// Nor is what was there before a node was set back that does not notice: where it goes on under
/// the old origin, it replaces what it does not remember, and what that had replaced.
package struct AcknowledgedChecker: Checker {
    package static let promise = Promise("acknowledged is kept")
    package static let watches: WorldEvent.Kinds = [
        .authored, .delivered, .processes, .membership, .faults,
    ]

    private struct Message {
        let node: Int
        let conversation: ConversationID
        let tag: SessionTag
        let dot: Dot
        let time: Moment
    }

    private struct Request {
        let node: Int
        let conversation: ConversationID
        let tag: SessionTag
    }

    private var asked: [RequestID: Request] = [:]
    private var kept: [Message] = []
    /// Under which origins each node wrote.
    private var origins: [Int: Set<OriginID>] = [:]
    /// When nodes were set back without noticing it, and their origins by then.
    private var setBack: [Int: (time: Moment, origins: Set<OriginID>)] = [:]

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .authored(let requests)): note(requests, node, world)
        case .delivered(let node, .answer(let request, .stored(let message))):
            guard let asked = asked.removeValue(forKey: request) else { return }
            let message = Message(
                node: node,
                conversation: asked.conversation,
                tag: asked.tag,
                dot: message.dot,
                time: world.now
            )
            if let past = setBack[node], past.origins.contains(message.dot.origin) {
                forget(asked, before: past.time)
            }
            origins[node, default: []].insert(message.dot.origin)
            kept.append(message)
            expect([message], on: node, world, "although it was acknowledged just now")
        case .started(let node):
            expect(kept.filter { $0.node == node }, on: node, world, "after a new start")
        case .left(let node, let conversation):
            kept.removeAll { $0.node == node && $0.conversation == conversation }
            asked = asked.filter { $0.value.node != node || $0.value.conversation != conversation }
        case .fault(.lostRow(let node, _)), .fault(.damagedRow(let node, _)):
            kept.removeAll { $0.node == node }
        case .fault(.restore(let node, let inPlace)):
            kept.removeAll { $0.node == node }
            if inPlace { setBack[node] = (world.now, origins[node] ?? []) }
        default: break
        }
    }

    package mutating func finish(in world: World) {
        for conversation in world.conversationIDs {
            let expected = kept.filter { $0.conversation == conversation }
            let groups = world.groups(of: conversation)
            for group in groups {
                // From another group nothing gets here.
                let mine = expected.filter { groups.count == 1 || group.contains($0.node) }
                for node in group { expect(mine, on: node, world, "in the end") }
            }
        }
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
                conversation: state.record.id,
                tag: tag
            )
        }
    }

    private mutating func forget(_ request: Request, before time: Moment) {
        kept.removeAll { message in
            message.tag == request.tag && message.conversation == request.conversation
                && message.time <= time
        }
    }

    private func expect(
        _ messages: [Message],
        on node: Int,
        _ world: World,
        _ when: String
    ) {
        for message in messages {
            // Every writer holds the key: one that lies may replace what it likes, and what
            // replaces its lie need not know.
            guard
                !world.nodes[node].disk.keeps(message.dot, tag: message.tag, message.conversation),
                !world.nodes.contains(where: { $0.claimedToReplace(in: message.tag) }),
                !world.byzantineSessions.contains(message.tag)
            else { continue }
            world.fail(
                Self.promise,
                by: [node, message.node],
                "\(world.nodes[node].name) does not have \(world.word(message.dot)) of "
                    + "\(world.word(message.tag)) on its disk, nor what replaced it, \(when)"
            )
            return
        }
    }
}
