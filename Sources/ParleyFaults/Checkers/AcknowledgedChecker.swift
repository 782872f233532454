import ParleyCore

/// An acknowledged message stays: it is a head (shown, or the loser of an open conflict), or a head
/// has replaced it.
///
/// Each message is looked for on its author's disk at the acknowledgement and at every later start
/// of the author's process, and at the end of the run on the disk of every member. Three things
/// excuse its absence:
///
/// - A fault took it from its author's disk, or its author left the conversation. If no other disk
///   had it at that moment, it is expected nowhere; otherwise every member still has it in the end.
/// - Another author's message had replaced it, and a blind replacement has swallowed that one (see
///   `BlindReplacements`).
/// - A Byzantine writer wrote in the session: it may claim to replace whatever it likes, and a
///   message that replaces such a claim need not know what the claim had replaced.
package struct AcknowledgedChecker: Checker {
    package static let promise = Promise("acknowledged is kept")
    package static let watches: WorldEvent.Kinds = [
        .authored, .answered, .delivered, .processes, .membership, .faults,
    ]

    private struct Message {
        let node: Int
        let conversation: ConversationID
        let tag: SessionTag
        let dot: Dot
        /// Whether a fault took it from its author's disk: then it is expected at the end only.
        var isElsewhere = false
    }

    private struct Request {
        let node: Int
        let conversation: ConversationID
        let tag: SessionTag
    }

    private let ledger: Ledger
    private var asked: [RequestID: Request] = [:]
    private var kept: [Message] = []
    private var blindReplacements = BlindReplacements()

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .authored(let requests)): note(requests, node, world)
        case .answered(let node, _): blindReplacements.look(at: node, ledger, world)
        case .delivered(let node, .answer(let request, .stored(let message))):
            guard let asked = asked.removeValue(forKey: request) else { return }
            let message = Message(
                node: node,
                conversation: asked.conversation,
                tag: asked.tag,
                dot: message.dot
            )
            kept.append(message)
            expect([message], on: node, world, "although it was acknowledged just now")
        case .started(let node):
            let own = kept.filter { $0.node == node && !$0.isElsewhere }
            expect(own, on: node, world, "after a new start")
        case .left(let node, let conversation):
            lose(at: node, world) { $0.conversation == conversation }
            asked = asked.filter { $0.value.node != node || $0.value.conversation != conversation }
        case .fault(let fault): note(fault, world)
        default: break
        }
    }

    package mutating func finish(in world: World) {
        for conversation in world.conversationIDs {
            let expected = kept.filter { $0.conversation == conversation }
            let groups = world.groups(of: conversation)
            for group in groups {
                // Nothing gets here from another group, and which group has a message that its
                // author's disk lost is not known.
                let mine = expected.filter { message in
                    groups.count == 1 || group.contains(message.node) && !message.isElsewhere
                }
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

    // MARK: Excuses

    /// The fault is about to happen: the disk is as it was.
    private mutating func note(_ fault: Fault, _ world: World) {
        switch fault {
        case .lostRow(let node, let pick), .damagedRow(let node, let pick):
            guard world.nodes.indices.contains(node),
                let tag = world.nodes[node].disk.tag(pick: pick)
            else { return }
            lose(at: node, world) { $0.tag == tag }
        case .restore(let node, _):
            guard world.nodes.indices.contains(node), let backup = world.nodes[node].backup else {
                return
            }
            lose(at: node, world) { message in
                !backup.disk.keeps(message.dot, tag: message.tag, message.conversation)
            }
        default: break
        }
    }

    /// A node's disk loses the messages that match: one that no other disk has is forgotten.
    private mutating func lose(at node: Int, _ world: World, _ isLost: (Message) -> Bool) {
        var left: [Message] = []
        for var message in kept {
            if isLost(message) {
                guard isSomewhere(message, besides: node, world) else { continue }
                if message.node == node { message.isElsewhere = true }
            }
            left.append(message)
        }
        kept = left
    }

    /// Whether a member's disk, other than that of `node`, has a message or what replaced it.
    private func isSomewhere(_ message: Message, besides node: Int, _ world: World) -> Bool {
        world.nodes.indices.contains { other in
            guard other != node,
                world.nodes[other].disk.keeps(message.dot, tag: message.tag, message.conversation)
            else { return false }
            // A node that has left deletes the rows with its next commit.
            let conversations = world.nodes[other].machine?.conversations
            return conversations?.contains { $0.record.id == message.conversation } ?? true
        }
    }

    private func isExcused(_ message: Message, on node: Int, _ world: World) -> Bool {
        if world.nodes.contains(where: { $0.claimedToReplace(in: message.tag) }) { return true }
        if world.byzantineSessions.contains(message.tag) { return true }
        return blindReplacements.mayHaveTaken(
            message.dot,
            of: message.tag,
            in: message.conversation,
            from: world.nodes[node].disk
        )
    }

    private func expect(
        _ messages: [Message],
        on node: Int,
        _ world: World,
        _ when: String
    ) {
        for message in messages {
            let disk = world.nodes[node].disk
            guard !disk.keeps(message.dot, tag: message.tag, message.conversation),
                !isExcused(message, on: node, world)
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
