extension NodeMachine {
    /// Compares sums with every peer that is level with this node.
    mutating func startAudits() {
        for index in links.indices where links[index].isMember {
            for share in links[index].shares.indices where isDrained(share, on: index) {
                guard let slot = conversationIndex(links[index].shares[share].conversation) else {
                    continue
                }
                links[index].outbox.append(
                    .audit(
                        Audit(
                            conversation: links[index].shares[share].ownNumber,
                            ownPosition: conversations[slot].feed.latest,
                            peerPosition: links[index].shares[share].incoming.seen,
                            sums: conversations[slot].auditSums
                        )
                    )
                )
            }
        }
    }

    /// Whether nothing of the conversation is on its way in either direction, as far as this side
    /// can know.
    ///
    /// What others told of and never give is not asked about: else a liar would hold up all audits.
    private func isDrained(_ share: Int, on index: Int) -> Bool {
        guard !commits.isBlocked,
            let slot = conversationIndex(links[index].shares[share].conversation)
        else { return false }
        let outgoing = links[index].shares[share].outgoing
        let incoming = links[index].shares[share].incoming
        return outgoing.isRequested && outgoing.sent == conversations[slot].feed.latest
            && outgoing.tells.isEmpty && outgoing.wanted.isEmpty && !outgoing.isPeerFull
            && !incoming.isMissingAny && !incoming.isHeld
    }

    mutating func auditReceived(_ audit: Audit, on index: Int) throws(Refusal) {
        guard let share = try shareIndex(ofPeerNumber: audit.conversation, on: index),
            let slot = conversationIndex(links[index].shares[share].conversation),
            isDrained(share, on: index),
            audit.ownPosition == links[index].shares[share].incoming.seen,
            audit.peerPosition == conversations[slot].feed.latest
        else { return }
        let sums = conversations[slot].auditSums
        let differing = sums.indices.filter { sums[$0] != audit.sums[$0] }
        let before = links[index].shares[share].outgoing.suspectBuckets
        links[index].shares[share].outgoing.suspectBuckets = differing
        let twice = differing.filter { before.contains($0) }
        guard !twice.isEmpty else { return }
        turn.effects.deliveries.append(
            .divergence(
                conversation: conversations[slot].number,
                device: links[index].device,
                buckets: twice.count
            )
        )
        repair(twice, slot: slot, share, on: index)
    }

    /// Tells the heads of the buckets, so that the peer asks for what it lacks; what is too much
    /// for once follows after the next audit.
    private mutating func repair(
        _ buckets: [Int],
        slot: Int,
        _ share: Int,
        on index: Int
    ) {
        let differing = Set(buckets)
        var count = 0
        for session in conversations[slot].sessions
        where differing.contains(Int(session.tag.value.words.0 >> 56)) {
            for head in session.register.heads where count < OutgoingFeed.toldMax {
                let entry = HaveEntry(head, tag: session.tag, position: 0)
                links[index].shares[share].outgoing.tell(entry, at: turn.now)
                count += 1
            }
        }
    }
}
