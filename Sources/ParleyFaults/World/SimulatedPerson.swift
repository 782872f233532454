package import ParleyCore

/// The person at a node: the requests, and what the node answered and showed.
package struct SimulatedPerson {
    private var requests: UInt64 = 0
    package private(set) var deliveries: [Delivery] = []
    package private(set) var answers: [RequestID: AuthorAnswer] = [:]
    /// The messages that were acknowledged to the person as on disk.
    package private(set) var acknowledged: [Acknowledged] = []
    /// The highest revision shown of each session; a lower one afterwards is a problem.
    private var shownRevisions: [SessionTag: UInt64] = [:]

    package init() {}

    package var conflicts: [SessionConflict] {
        deliveries.compactMap { delivery in
            if case .conflict(let conflict) = delivery { conflict } else { nil }
        }
    }

    package var refusals: [ParleyCore.Refusal] {
        deliveries.compactMap { delivery in
            if case .refused(_, _, _, let refusal) = delivery { refusal } else { nil }
        }
    }

    package var closeCauses: [CloseCause] {
        deliveries.compactMap { delivery in
            if case .link(let notice) = delivery, case .closed(let cause) = notice.change {
                cause
            } else {
                nil
            }
        }
    }

    /// The ID of the next request of the person at a node.
    package mutating func nextRequest(at node: Int) -> RequestID {
        requests += 1
        return RequestID(UInt64(node) << 32 | requests)
    }

    /// Remembers a delivery; returns the broken rule in words, if any.
    ///
    /// `view` is the session of a shown message, as the machine has it.
    package mutating func take(
        _ delivery: Delivery,
        disk: SimulatedDisk,
        view: SessionView?
    ) -> String? {
        deliveries.append(delivery)
        switch delivery {
        case .answer(let request, let answer): return take(answer, to: request, disk)
        case .shown(let shown): return take(shown, view)
        default: return nil
        }
    }

    private mutating func take(
        _ answer: AuthorAnswer,
        to request: RequestID,
        _ disk: SimulatedDisk
    ) -> String? {
        let isSecond = answers.updateValue(answer, forKey: request) != nil
        guard case .stored(let message) = answer else {
            return isSecond ? "answers a request twice" : nil
        }
        let row = disk.rows.values.first { row in
            row.heads.contains { $0.dot == message.dot }
                && disk.conversations[row.conversation] != nil
        }
        if let row, let conversation = disk.conversations[row.conversation]?.record.id {
            acknowledged.append(
                Acknowledged(conversation: conversation, tag: row.tag, dot: message.dot)
            )
        } else if !disk.keeps(message.dot) {
            // A later message of the node may have replaced the message in the same commit.
            return "acknowledges what is not on its disk"
        }
        return isSecond ? "answers a request twice" : nil
    }

    private mutating func take(_ shown: ShownMessage, _ view: SessionView?) -> String? {
        guard let head = view?.heads.first else { return "shows a session that it does not have" }
        let before = shownRevisions[shown.tag] ?? 0
        shownRevisions[shown.tag] = max(before, head.revision)
        return head.revision < before ? "went back from revision \(before)" : nil
    }

    /// Forgets the messages of a conversation: a leaving node takes the only copies with it.
    package mutating func leave(_ conversation: ConversationID) {
        acknowledged.removeAll { $0.conversation == conversation }
    }

    /// Forgets what was shown, after the disk was set back.
    package mutating func forgetShown() { shownRevisions = [:] }
}

/// A message that was acknowledged to its author as on disk.
package struct Acknowledged: Equatable, Sendable {
    package let conversation: ConversationID
    package let tag: SessionTag
    package let dot: Dot
}
