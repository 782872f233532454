/// Asks for envelopes that did not count when they came.
extension KeyChanges {
    /// Asks members for what counts by now: those on one link, or all.
    static func askForUncounted(
        of index: Int,
        on link: Int? = nil,
        _ machine: inout NodeMachine
    ) {
        let conversation = machine.conversations[index]
        guard !conversation.generations.uncounted.entries.isEmpty else { return }
        machine.conversations[index].keys.generations.uncounted.remove { head, tag in
            conversation.sessions.standing(of: HaveEntry(head, tag: tag, position: 0)) != .missing
        }
        let entries = machine.conversations[index].generations.uncounted.entries
            .filter {
                conversation.origins.counts(
                    $0.head,
                    in: conversation.generations,
                    using: machine.crypto
                )
            }
            .map { HaveEntry($0.head, tag: $0.tag, position: 0) }
        guard !entries.isEmpty else { return }
        for other in machine.links.indices where link.map({ $0 == other }) ?? true {
            guard
                let replication = machine.links.all.replication(of: conversation.number, on: other),
                machine.links[replication].hasBegun
            else { continue }
            // The peer may have announced them before. Its feed does not wait for them.
            let peer = machine.links[other].id
            for entry in entries where machine.conversations[index].wants.mayAnnounce(peer) {
                let isAsked = machine.conversations[index].wants
                    .announced(entry, by: peer, at: machine.step.now)
                if isAsked { machine.links[replication].ask(for: entry) }
            }
        }
    }
}
