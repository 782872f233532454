/// The limits of a run.
struct RunTerms {
    let link: LinkID
    /// The commit that will write the changes.
    let ticket: Ticket
    /// The least position that the peer may send now.
    var position: UInt64
    /// The credit that the peer has left, in bytes.
    var credit: UInt64

    func admits(_ entry: PlainEntry) -> Bool {
        entry.position >= position && UInt64(entry.creditBytes) <= credit
    }
}

/// The usual merge of consecutive envelopes of a batch frame: what it merged.
struct UsualRun {
    var count = 0
    /// The author of the envelopes, if those before came on another link.
    private(set) var movedOrigin: OriginID?
    /// The size of the envelopes, and the credit that they use, in bytes.
    var bytes = 0
    var creditBytes = 0
    /// The positions of the first and of the last envelope.
    var positions: ClosedRange<UInt64> = 0...0

    /// Merges the next envelopes of a batch frame, up to the first for which that is not usual.
    ///
    /// Only a relay has runs. A run begins where the proof that was read last is that of the latest
    /// digest of a checked batch, and has one author. The result is the one of merging envelope by
    /// envelope; an envelope behind the run is yet to be checked in any respect. `changed` gets the
    /// sessions whose rows became due for writing.
    init(
        of envelopes: inout FrameEnvelopes,
        into conversation: inout Conversation,
        _ terms: RunTerms,
        cache: inout EnvelopeCache,
        changed: (Int32) -> Void,
        using crypto: some Cryptography
    ) {
        guard conversation.role == .relay, conversation.wants.isEmpty,
            conversation.generations.arePlain,
            let block = envelopes.block,
            let first = block.plainEntry(at: envelopes.offset),
            !conversation.isPresent(first.header.dot.origin),
            Self.session(of: first, in: conversation) != nil,
            var batch = conversation.origins
                .checkedBatch(of: first.header.dot.origin, with: envelopes.proof)
        else { return }
        var terms = terms
        let origin = first.header.dot.origin
        let prefix = EnvelopeItems.digestPrefix(in: conversation.record.id)
        let hash = OriginHash(origin)
        var next: PlainEntry? = first
        var last: BatchEntry?
        while let entry = next, entry.header.dot.origin == origin, terms.admits(entry),
            let session = Self.session(of: entry, in: conversation),
            let writer = conversation.writer(of: origin, in: Int(session))
        {
            let digest = block.digest(of: entry.entry, after: prefix, using: crypto)
            let head = entry.header.head(digest: digest)
            guard
                conversation.sessions[Int(session)]
                    .isOnlyHeadReplaced(by: head, size: entry.size),
                batch.proves(digest, by: entry.entry, of: block, using: crypto)
            else { break }
            let pushed = PushedEnvelope(entry, of: block, from: terms.link)
            let wasDirty = conversation.replaceOnlyHead(
                of: session,
                by: head,
                pushed,
                writer: writer,
                hash: hash,
                until: terms.ticket,
                cache: &cache
            )
            if !wasDirty { changed(session) }
            terms.position = entry.position
            terms.credit -= UInt64(entry.creditBytes)
            takes(entry)
            last = entry.entry
            next = block.plainEntry(at: entry.entry.end)
        }
        guard let last else { return }
        envelopes.passed(last, with: batch.path)
        let hasMoved = conversation.origins.came(origin, on: terms.link, by: batch)
        if hasMoved { movedOrigin = origin }
    }

    /// The session of an entry, if that may replace its only head.
    private static func session(of entry: PlainEntry, in conversation: Conversation) -> Int32? {
        conversation.sessions.numbers[entry.header.tag].flatMap {
            conversation.sessions[Int($0)].isPlain(before: entry.header.dot) ? $0 : nil
        }
    }

    private mutating func takes(_ entry: PlainEntry) {
        positions = (count == 0 ? entry.position : positions.lowerBound)...entry.position
        count += 1
        bytes += entry.size
        creditBytes += entry.creditBytes
    }
}

extension SessionState {
    /// Whether the only head is an earlier message of the same origin, without next participants.
    fileprivate func isPlain(before dot: Dot) -> Bool {
        heads.count == 1 && heads[0].next.isEmpty && heads[0].dot.origin == dot.origin
            && heads[0].dot.sequence < dot.sequence
    }
}
