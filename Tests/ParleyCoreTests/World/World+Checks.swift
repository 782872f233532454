import ParleyCore
import ParleyFaults
import Testing

extension World {
    /// Runs until nothing but pings is left: no bytes on their way, nothing to commit, for a while.
    func settle(_ limit: Interval = .seconds(120)) {
        let end = now + limit
        while now < end {
            let before = trace.quietCount
            run(.milliseconds(1_600))
            guard trace.quietCount == before else { continue }
            let isQuiet = nodes.allSatisfy { $0.commits.waiting.isEmpty || $0.commits.isStalled }
            if isQuiet { return }
        }
        problems.append("no quiet after \(limit.milliseconds) ms")
    }

    /// The devices of which the author of a session's message has heard.
    func heard(
        _ session: String,
        by node: Int,
        in conversation: SimulatedConversation
    ) -> Int? {
        guard let tag = tag(session, in: conversation),
            let machine = nodes[node].machine,
            let number = number(of: conversation, at: node),
            let head = machine.conversation(number)?.session(tag)?.heads.first
        else { return nil }
        return machine.author.receipts.count(of: head.dot, in: number)
    }

    /// The faults that no history can excuse.
    func faults() -> [String] {
        var faults = problems
        for node in nodes {
            faults += node.disk.problems.map { "\(node.name): \($0)" }
        }
        return faults
    }

    func expectSound(_ location: SourceLocation = #_sourceLocation) {
        let faults = faults()
        #expect(faults.isEmpty, "\(faults)", sourceLocation: location)
    }

    /// The heads of every session of a conversation at a node, as text that can be compared.
    func heads(of conversation: SimulatedConversation, at node: Int) -> [SessionTag: [Dot]] {
        guard let machine = nodes[node].machine,
            let number = number(of: conversation, at: node),
            let state = machine.conversations.first(where: { $0.number == number })
        else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: state.sessions.map { session in
                (session.tag, session.register.heads.map(\.dot))
            }
        )
    }

    /// All running members have the same heads.
    func expectEqualHeads(
        of conversation: SimulatedConversation,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let members = nodes.indices.filter { number(of: conversation, at: $0) != nil }
        guard let first = members.first else { return }
        let expected = heads(of: conversation, at: first)
        for member in members.dropFirst() {
            let actual = heads(of: conversation, at: member)
            let differing = Set(expected.keys).union(actual.keys).filter {
                expected[$0] != actual[$0]
            }
            #expect(
                differing.isEmpty,
                "\(nodes[first].name) and \(nodes[member].name) differ in \(differing.map(word))",
                sourceLocation: location
            )
        }
    }
}

extension WorldTrace {
    /// Frames that say something new: all but pings, pongs and audits.
    var quietCount: Int {
        frameCount - count(.ping) - count(.pong) - count(.audit) - count(.hello)
            - count(.goodbye) - count(.conversations)
    }
}
