import ParleyCore
import ParleyFaults

/// Promises that tests check directly against disks and machines, between the faults of a history.
///
/// `PositionChecker` and `AcknowledgedChecker` watch the same ones in every run of the simulator.
extension World {
    /// The stored heads of a node's sessions.
    private func storedHeads(
        of conversation: ConversationID,
        at node: Int
    ) -> [SessionTag: [Head]] {
        var heads: [SessionTag: [Head]] = [:]
        for row in nodes[node].disk.rows.values
        where nodes[node].disk.conversations[row.conversation]?.record.id == conversation {
            heads[row.tag] = row.heads.compactMap { stored in
                guard let bytes = stored.envelope,
                    let envelope = try? Envelope(decoding: bytes)
                else { return nil }
                return envelope.head(in: conversation, using: nodes[node].crypto)
            }
        }
        return heads
    }

    /// Whether `heads` contain a message or one that dominates it.
    private func isKept(_ dot: Dot, in heads: [Head]?) -> Bool {
        heads?.contains { $0.dot == dot || $0.hasInContext(dot) } ?? false
    }

    /// Acknowledged messages that a node's disk neither has as heads nor has replaced.
    func lost(at node: Int, acknowledgedBy authors: [Int]) -> [Acknowledged] {
        var stored: [ConversationID: [SessionTag: [Head]]] = [:]
        return authors.flatMap { nodes[$0].person.acknowledged }.filter { message in
            let isMember = nodes[node].disk.conversations.values.contains {
                $0.record.id == message.conversation
            }
            guard isMember else { return false }
            if stored[message.conversation] == nil {
                stored[message.conversation] = storedHeads(of: message.conversation, at: node)
            }
            return !isKept(message.dot, in: stored[message.conversation]?[message.tag])
        }
    }

    /// Checks that no stored cursor is ahead of the envelopes on disk.
    func checkCursors() {
        for node in nodes.indices {
            for conversation in nodes[node].disk.conversations.values {
                check(conversation, at: node)
            }
        }
    }

    private func check(_ conversation: RecoveredConversation, at node: Int) {
        let id = conversation.record.id
        var stored: [SessionTag: [Head]]?
        for peer in nodes.indices where peer != node {
            guard let cursor = conversation.cursors[nodes[peer].device],
                let state = nodes[peer].machine?.conversations.first(where: {
                    $0.record.id == id
                }),
                nodes[peer].disk.conversations[state.number]?.incarnations.last?.id
                    == cursor.incarnation
            else { continue }
            let heads = stored ?? storedHeads(of: id, at: node)
            stored = heads
            for index in state.sessions.indices {
                guard
                    let view = nodes[peer].machine?.conversation(state.number)?.view(Int32(index)),
                    view.position <= cursor.position
                else { continue }
                for head in view.heads where !isKept(head.dot, in: heads[view.tag]) {
                    problems.append(
                        "\(nodes[node].name) says it has \(nodes[peer].name)'s feed up to "
                            + "\(cursor.position) and lacks \(word(head.dot)) at \(view.position)"
                    )
                }
            }
        }
    }

    /// Checks that every running node's acknowledged messages are on its own disk.
    func checkAcknowledged() {
        for node in nodes.indices {
            for message in lost(at: node, acknowledgedBy: [node]) {
                problems.append("\(nodes[node].name) lost \(word(message.dot))")
            }
        }
    }
}
