package import ParleyCore

extension World {
    /// Carries out a delivery of a node and checks the rules that hold for all deliveries.
    func deliver(_ delivery: Delivery, of node: Int) {
        emit(.delivered(node: node, delivery))
        switch delivery {
        case .answer(_, .stored): figures.acknowledged += 1
        case .shown: figures.shown += 1
        case .conflict: figures.conflicts += 1
        case .link(let notice): strangerChanged(notice, at: node)
        default: break
        }
        if trace.isWriting { write(delivery, of: node) }
        guard settings.remembers else { return }
        nodes[node].deliveries.append(delivery)
        switch delivery {
        case .answer(let request, let answer): answered(request, answer, of: node)
        case .shown(let shown): self.shown(shown, by: node)
        default: break
        }
    }

    private func answered(
        _ request: RequestID,
        _ answer: AuthorAnswer,
        of node: Int
    ) {
        if nodes[node].answers[request] != nil {
            problems.append("\(nodes[node].name) answers a request twice")
        }
        nodes[node].answers[request] = answer
        guard case .stored(let message) = answer else { return }
        for row in nodes[node].disk.rows.values {
            guard row.heads.contains(where: { $0.dot == message.dot }),
                let conversation = nodes[node].disk.conversations[row.conversation]
            else { continue }
            nodes[node].acknowledged.append(
                Acknowledged(
                    conversation: conversation.record.id,
                    tag: row.tag,
                    dot: message.dot
                )
            )
            return
        }
        // A later message of the node may have replaced the message in the same commit.
        if !isDominated(message.dot, at: node) {
            problems.append("\(nodes[node].name) acknowledges what is not on its disk")
        }
    }

    private func isDominated(_ dot: Dot, at node: Int) -> Bool {
        nodes[node].disk.rows.values.contains { row in
            row.heads.contains { head in
                guard let bytes = head.envelope,
                    let envelope = try? Envelope(decoding: bytes)
                else { return false }
                let own = envelope.header.dot
                return own.origin == dot.origin && own.sequence >= dot.sequence
                    || envelope.header.context.contains {
                        $0.origin == dot.origin && $0.sequence >= dot.sequence
                    }
            }
        }
    }

    private func shown(_ shown: ShownMessage, by node: Int) {
        guard
            let view = nodes[node].machine?.conversation(shown.conversation)?.view(shown.tag),
            let head = view.heads.first
        else {
            problems.append("\(nodes[node].name) shows a session that it does not have")
            return
        }
        let before = nodes[node].shownRevisions[shown.tag] ?? 0
        if head.revision < before {
            problems.append("\(nodes[node].name) went back from revision \(before)")
        }
        nodes[node].shownRevisions[shown.tag] = max(before, head.revision)
    }

    // MARK: Reading deliveries

    package func conflicts(at node: Int) -> [SessionConflict] {
        nodes[node].deliveries.compactMap { delivery in
            if case .conflict(let conflict) = delivery { conflict } else { nil }
        }
    }

    package func refusals(at node: Int) -> [ParleyCore.Refusal] {
        nodes[node].deliveries.compactMap { delivery in
            if case .refused(_, _, _, let refusal) = delivery { refusal } else { nil }
        }
    }

    package func closeCauses(at node: Int) -> [CloseCause] {
        nodes[node].deliveries.compactMap { delivery in
            if case .link(let notice) = delivery, case .closed(let cause) = notice.change {
                cause
            } else {
                nil
            }
        }
    }

    /// The number of deliveries of a node that match.
    package func count(at node: Int, where matches: (Delivery) -> Bool) -> Int {
        nodes[node].deliveries.count(where: matches)
    }
}
