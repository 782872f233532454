/// Envelopes that came or were written, and what merging them brings about.
extension NodeMachine {
    /// An envelope came over a link: check it, merge it, note how far the peer's feed is here.
    mutating func envelopeReceived(_ frame: EnvelopeFrame, on index: Int) throws(Refusal) {
        let size = EnvelopeFrame.prefixBytes + frame.envelope.count
        links.figures.envelopesReceived += 1
        links.figures.envelopeBytesReceived += UInt64(size)
        guard links[index].grant.envelopeReceived(size) else {
            throw .overLimit("envelopes beyond the credit")
        }
        guard let (replication, conversation) = try shared(frame.conversation, on: index) else {
            return
        }
        try expectPosition(frame.position)
        let arrival = try arrival(of: frame, on: index, in: conversation)
        let result = merge(arrival, into: conversation)
        noteHolders(of: arrival, result, conversation)
        switch result {
        case .changed:
            links[index].broughtNews = step.now
        case .held:
            links[index].replications[replication].hold()
            links.hold(
                missing: arrival.head.name,
                of: conversations[conversation].number
            )
        case .known:
            pushedInVain(arrival, to: conversation, replication, on: index)
        case .obsolete:
            break
        }
        let settled = conversations[conversation]
            .settle(arrival.head.name, tag: arrival.envelope.header.tag)
        links.settled(settled, of: conversations[conversation].number)
        links[index].replications[replication].received(position: frame.position)
    }

    /// Decodes an envelope, and checks its proof if it is not here already.
    private mutating func arrival(
        of frame: EnvelopeFrame,
        on index: Int,
        in conversation: Int
    ) throws(Refusal) -> Arrival {
        let envelope: Envelope
        do throws(CodecError) {
            envelope = try Envelope(decoding: frame.envelope)
        } catch {
            throw .malformed(error)
        }
        let head = envelope.head(in: conversations[conversation].record.id, using: crypto)
        if !conversations[conversation].knows(head, tag: envelope.header.tag) {
            try conversations[conversation].prove(envelope, head, using: crypto)
        }
        return Arrival(
            envelope: envelope,
            head: head,
            hops: frame.hops < UInt8.max ? frame.hops + 1 : UInt8.max,
            source: links[index].id
        )
    }

    /// Takes a checked envelope into its conversation, and does what follows.
    mutating func merge(_ arrival: Arrival, into index: Int) -> MergeReport.Result {
        let links = links
        let report = conversations[index].merge(
            arrival,
            Conversation.MergeTerms(
                row: cache.nextRow,
                ticket: commits.next,
                mayGrow: !commits.isBlocked
            ),
            cache: &cache,
            isOpen: { links.isOpen($0) },
            using: crypto
        )
        if report.tookRow { cache.tookRow() }
        carryOut(report, of: arrival, in: index)
        return report.result
    }

    private mutating func carryOut(_ report: MergeReport, of arrival: Arrival, in index: Int) {
        let number = conversations[index].number
        let tag = arrival.envelope.header.tag
        let dot = arrival.head.dot
        if let twice = report.equivocation {
            step.deliver(.equivocation(conversation: number, tag: tag, twice))
        }
        if report.meetsCopy { renewEpoch() }
        if let author = report.outOfTurn {
            commits.afterNext(.outOfTurn(conversation: number, tag: tag, dot, by: author))
        }
        for blob in report.unlisted { unlist(blob) }
        if let origin = report.firstOf {
            step.writes.append(.origin(conversation: number, dot.origin, origin))
        }
        for blob in report.listed { blobs.list(blob, conversation: number) }
        if let dropped = report.dropped {
            for blob in dropped.blobs { unlist(blob) }
            step.deliver(.headDropped(conversation: number, tag: tag, dropped.dot))
        }
        if report.isShown {
            commits.afterNext(.shown(ShownMessage(conversation: number, tag: tag, dot: dot)))
        }
        if let session = report.changedSession { step.changedSessions.append((index, session)) }
        if report.result == .changed { step.contentBytes += arrival.envelope.bytes.count }
        if let heads = report.conflict {
            commits.afterNext(
                .conflict(SessionConflict(conversation: number, tag: tag, heads: heads))
            )
        }
    }

    // MARK: What others told of the envelope

    /// Peers that told of an envelope have it, now that it is here.
    private mutating func noteHolders(
        of arrival: Arrival,
        _ result: MergeReport.Result,
        _ index: Int
    ) {
        guard result != .obsolete else { return }
        let holders = conversations[index].wants.holders(of: arrival.head.name)
        guard !holders.isEmpty else { return }
        let links = links
        for holder in holders {
            conversations[index].know(
                holder,
                has: arrival.head.dot,
                tag: arrival.envelope.header.tag,
                isOpen: { links.isOpen($0) }
            )
        }
    }

    /// The peer pushed an envelope that is here: it should learn that it need not, unless it wrote
    /// it.
    private mutating func pushedInVain(
        _ arrival: Arrival,
        to conversation: Int,
        _ replication: Int,
        on index: Int
    ) {
        guard let origin = conversations[conversation].origins[arrival.head.dot.origin],
            origin.device != links[index].device
        else { return }
        links[index].replications[replication].pushedInVain(
            arrival.head,
            tag: arrival.envelope.header.tag,
            at: step.now
        )
    }

    // MARK: Origins

    /// A peer says who stands behind an origin.
    mutating func originReceived(_ frame: OriginFrame, on index: Int) throws(Refusal) {
        guard let (_, conversation) = try shared(frame.conversation, on: index) else { return }
        switch try conversations[conversation].introduced(frame.record, using: crypto) {
        case .noted:
            break
        case .unused(let id):
            try noteIntroduced(id, conversation, on: index)
        case .new(let id, let origin):
            try noteIntroduced(id, conversation, on: index)
            conversations[conversation].origins[id] = origin
        }
    }

    private mutating func noteIntroduced(
        _ id: OriginID,
        _ conversation: Int,
        on index: Int
    ) throws(Refusal) {
        let conversations = conversations
        try links[index].introduces(id, of: conversations[conversation].number) { number, origin in
            conversations.first { $0.number == number }?.isUnused(origin) ?? false
        }
    }

    /// A link is gone: origins that only it introduced and of which no envelope came are forgotten,
    /// so that nobody can fill the table with them.
    mutating func forgetIntroduced(by link: Link) {
        let unused = link.introduced.filter { id in
            conversation(id.conversation)?.isUnused(id.origin) ?? false
        }
        guard !unused.isEmpty else { return }
        let vouched = Set(links.flatMap { $0.introduced.map(\.origin) })
        for (number, id) in unused where !vouched.contains(id) {
            guard let index = conversationIndex(number) else { continue }
            conversations[index].origins[id] = nil
        }
    }
}
