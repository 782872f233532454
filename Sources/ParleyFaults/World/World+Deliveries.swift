package import ParleyCore

extension World {
    /// Carries out a delivery of a node and checks the rules that hold for all deliveries.
    func deliver(_ delivery: Delivery, of node: Int) {
        emit(.delivered(node: node, delivery))
        switch delivery {
        case .answer(_, .stored): figures.acknowledged += 1
        case .shown: figures.shown += 1
        case .conflict: figures.conflicts += 1
        case .link(let notice): nodes[node].sockets.changed(notice, at: now)
        default: break
        }
        if trace.isWriting { write(delivery, of: node) }
        guard settings.remembers else { return }
        let problem = nodes[node].person
            .take(delivery, disk: nodes[node].disk, view: shownView(delivery, at: node))
        if let problem { problems.append("\(nodes[node].name) \(problem)") }
    }

    private func shownView(_ delivery: Delivery, at node: Int) -> SessionView? {
        guard case .shown(let shown) = delivery else { return nil }
        return nodes[node].machine?.conversation(shown.conversation)?.view(shown.tag)
    }

    // MARK: Reading deliveries

    package func conflicts(at node: Int) -> [SessionConflict] {
        nodes[node].person.deliveries.compactMap { delivery in
            if case .conflict(let conflict) = delivery { conflict } else { nil }
        }
    }

    package func refusals(at node: Int) -> [ParleyCore.Refusal] {
        nodes[node].person.deliveries.compactMap { delivery in
            if case .refused(_, _, _, let refusal) = delivery { refusal } else { nil }
        }
    }

    package func closeCauses(at node: Int) -> [CloseCause] {
        nodes[node].person.deliveries.compactMap { delivery in
            if case .link(let notice) = delivery, case .closed(let cause) = notice.change {
                cause
            } else {
                nil
            }
        }
    }

    /// The number of deliveries of a node that match.
    package func count(at node: Int, where matches: (Delivery) -> Bool) -> Int {
        nodes[node].person.deliveries.count(where: matches)
    }
}
