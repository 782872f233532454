/// Merges the envelopes of members, and sends changes to members.
extension NodeMachine {
    /// Envelopes arrived: checks and merges each, and notes the peer's feed position.
    mutating func envelopesReceived(_ raw: RawFrame, on index: Int) throws(Refusal) {
        let shared = try links.all.shared(raw.conversation(), .envelope, on: index, conversations)
        var envelopes = try conversations.open(raw, of: shared?.conversation)
        let (link, contentBefore) = (links.all.openLinks[index], step.contentBytes)
        defer {
            step.holds(conversations.close(envelopes), after: contentBefore)
            links[index].keepRest(of: envelopes)
        }
        while !links[index].isWorkUsedUp {
            if let shared {
                let moved = links.run(&envelopes, shared, &conversations, commits, crypto, &step)
                if let moved {
                    let number = conversations[shared.conversation].number
                    author.moved(moved, to: link, in: number, links, at: step.now)
                }
            }
            guard let received = try envelopes.next() else { break }
            try links.envelopeReceived(bytes: received.creditBytes, on: index)
            guard let (replication, conversation) = shared else { continue }
            try links[replication].check(position: received.position)
            let arrival =
                try conversations
                .arrival(received, by: envelopes.proof, on: link, in: conversation, using: crypto)
            let report = merge(arrival, into: conversation, isLive: !links[replication].isReplaying)
            links.all.merged(arrival, report, from: replication, at: step.now)
            links[replication].received(received)
        }
    }

    /// Merges a checked envelope into its conversation, and carries out the report.
    mutating func merge(_ arrival: Arrival, into index: Int, isLive: Bool = true) -> MergeReport {
        let openLinks = links.all.openLinks
        let report =
            conversations
            .merge(arrival, into: index, tickets: commits, openLinks: openLinks, using: crypto)
        let (number, origin) = (conversations[index].number, arrival.head.dot.origin)
        report.deliver(of: arrival, conversation: number, tickets: &commits, into: &step)
        if report.meetsCopy { renewEpoch() }
        blobs.unlist(report.unlisted, into: &step)
        if report.isFirstOfOrigin, let record = conversations[index].origins[origin]?.record {
            step.writes.append(.origin(conversation: number, origin, record))
        }
        for blob in report.listed { blobs.list(blob, conversation: number) }
        blobs.unlist(report.dropped?.blobs ?? [], into: &step)
        if report.isAuthorNewlyLeftOut { conversations.judgeAgain(in: index, step.now, crypto) }
        guard report.result == .changed else { return report }
        step.contentBytes += arrival.size
        author.merged(arrival, report, in: &conversations[index], links, commits, step.now, crypto)
        conversations.judge(arrival, in: index, at: step.now, isLive: isLive, using: crypto)
        return report
    }

    // MARK: Sending

    /// Sends every member the changes that it may take now, once per step for all links.
    ///
    /// A peer that does not answer gets nothing, and later only the latest changes.
    mutating func pump() {
        links.chooseNeighbours(at: step.now)
        let limits = configuration.limits
        let window = links.all.envelopeWindow(besides: commits, of: limits.commitQueueBytes)
        askForBlobs()
        let unstored = blobs.onTheirWayToDisk
        var sender = Sender(now: step.now, committed: commits.committed, unstoredBlobs: unstored)
        for index in links.indices where links[index].isLive {
            links.pump(index, from: conversations, with: &sender)
            step.effects.reads += conversations.startReading(sender.takeAwaitedRows())
            let reads = links[index].serve(&blobs, at: step.now)
            step.effects.reads += reads.map(StoreRead.blobChunk)
            links[index].renewCredit(window: window, names: limits.namesPerLink)
        }
        links.endPump()
    }
}
