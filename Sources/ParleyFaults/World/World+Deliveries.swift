import ParleyCore

extension World {
    /// Carries out a delivery of a node and checks the rules that hold for all deliveries.
    func deliver(_ delivery: Delivery, of node: Int) {
        emit(.delivered(node: node, delivery))
        switch delivery {
        case .answer(_, .stored): figures.acknowledged += 1
        case .shown: figures.shown += 1
        case .conflict: figures.conflicts += 1
        case .knocked(let notice): enter(by: notice, node)
        case .link(let notice): nodes[node].sockets.changed(notice, at: now)
        default: break
        }
        if trace.isWriting, let text = inWords.words(delivery, of: node) { note(node, text) }
        guard settings.remembers else { return }
        if let problem = nodes[node].tell(delivery) {
            problems.append("\(nodes[node].name) \(problem)")
        }
    }
}
