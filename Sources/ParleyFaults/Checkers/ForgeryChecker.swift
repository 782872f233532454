import ParleyCore

/// A stored envelope was made by a writer of this conversation, with exactly these bytes; a shown
/// message was stored; and readers and relays cannot write.
package struct ForgeryChecker: Checker {
    package static let promise = Promise("only what its author wrote")
    package static let watches: WorldEvent.Kinds = [.authored, .answered, .delivered]

    private let ledger: Ledger
    /// The role of the node at each request to write.
    private var asked: [RequestID: Capability.Role] = [:]

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        for (node, key, what) in ledger.takeForeign() {
            world.fail(
                Self.promise,
                by: [node],
                "\(world.nodes[node].name) stores \(world.word(key.dot)) \(what)"
            )
        }
        switch event {
        case .input(let node, .authored(let requests)):
            for request in requests {
                guard let conversation = ledger.copies[node].numbers[request.conversation] else {
                    continue
                }
                asked[request.request] = ledger.copies[node].roles[conversation]
            }
        case .delivered(let node, .answer(let request, let answer)):
            answered(answer, to: asked.removeValue(forKey: request), node, world)
        case .delivered(let node, .shown(let shown)):
            guard let conversation = ledger.copies[node].numbers[shown.conversation],
                ledger.header(shown.dot, in: conversation) == nil,
                // An own message that was replaced in the same commit was never handed to the
                // store.
                ledger.author(of: shown.dot)?.node != world.nodes[node].device
            else { return }
            let what = "\(world.nodes[node].name) shows \(world.word(shown.dot)), of nobody"
            world.fail(Self.promise, by: [node], what)
        default: break
        }
    }

    private func answered(
        _ answer: AuthorAnswer,
        to role: Capability.Role?,
        _ node: Int,
        _ world: World
    ) {
        guard case .stored = answer, let role, role != .writer else { return }
        let what = "\(world.nodes[node].name) writes as a \(role)"
        world.fail(Self.promise, by: [node], what)
    }
}
