extension NodeMachine {
    /// Takes a session from the data directory; all of them before `start`.
    ///
    /// What cannot be read is reported, and asked of the peers again.
    package mutating func recover(_ row: SessionRow) {
        guard row.row > 0, row.row < Int64.max / 2 else {
            damaged(row, "its number is out of range")
            return
        }
        nextRow = max(nextRow, row.row + 1)
        guard let slot = conversationIndex(row.conversation) else {
            damaged(row, "its conversation is unknown")
            return
        }
        guard conversations[slot].sessionNumbers[row.tag] == nil else {
            damaged(row, "its tag is there twice")
            return
        }
        var envelopes: [(envelope: Envelope, head: Head)] = []
        for stored in row.heads {
            // Reported, and the other heads are kept.
            guard let bytes = stored.envelope, let envelope = try? Envelope(decoding: bytes),
                envelope.header.tag == row.tag
            else { continue }
            let head = envelope.head(in: conversations[slot].record.id, using: crypto)
            envelopes.append((envelope, head))
        }
        if envelopes.count < row.heads.count || row.heads.isEmpty {
            damaged(row, "a head cannot be read")
            // The peers' feeds are taken from their beginnings again.
            conversations[slot].cursors = [:]
        }
        let session = conversations[slot].addSession(row.tag, row: row.row)
        guard !envelopes.isEmpty else { return }
        conversations[slot].feed.recover(session: session, position: row.position)
        restore(envelopes, at: row.position, slot: slot, session: session)
        restoreLines(row, envelopes.map(\.envelope), slot: slot, session: session)
    }

    private mutating func damaged(_ row: SessionRow, _ what: String) {
        turn.effects.deliveries.append(.damaged(row: row.row, what))
    }

    private mutating func restore(
        _ envelopes: [(envelope: Envelope, head: Head)],
        at position: UInt64,
        slot: Int,
        session: Int32
    ) {
        let place = Int(session)
        let register = SessionRegister(envelopes.map(\.head))
        conversations[slot].sessions[place].register = register
        for head in register.heads {
            guard let envelope = envelopes.first(where: { $0.head == head })?.envelope else {
                continue
            }
            restore(envelope, head, at: position, slot: slot, session: session)
        }
        guard let shown = register.shown else { return }
        conversations[slot].origins[shown.dot.origin]?.sessions += 1
    }

    private mutating func restore(
        _ envelope: Envelope,
        _ head: Head,
        at position: UInt64,
        slot: Int,
        session: Int32
    ) {
        let place = Int(session)
        let isRoomy = cache.hasRoom(for: envelope.bytes.count)
        conversations[slot].sessions[place].heads.append(
            HeadRecord(
                dot: head.dot,
                position: position,
                envelope: isRoomy ? envelope.bytes.compacted() : nil,
                sentAfter: Ticket(0),
                size: envelope.bytes.count,
                hops: 1,
                knownTo: [],
                next: envelope.header.next,
                blobs: envelope.header.blobs,
                isTombstone: envelope.header.isTombstone
            )
        )
        if isRoomy { cache.kept(envelope.bytes.count) }
        if isRoomy, !conversations[slot].sessions[place].isInCacheQueue {
            conversations[slot].sessions[place].isInCacheQueue = true
            cache.queued(conversation: conversations[slot].number, session: session)
        }
        conversations[slot].sum(head, tag: session, adding: true)
        for blob in envelope.header.blobs { list(blob, slot: slot) }
    }

    private mutating func restoreLines(
        _ row: SessionRow,
        _ envelopes: [Envelope],
        slot: Int,
        session: Int32
    ) {
        let place = Int(session)
        guard conversations[slot].keys.canRead,
            let shown = conversations[slot].sessions[place].register.shown,
            let envelope = envelopes.first(where: { $0.header.dot == shown.dot })
        else { return }
        if !row.lines.isEmpty, let lines = try? SessionLines(decoding: row.lines) {
            // Lines that cannot be read are lost; the messages themselves are not.
            conversations[slot].sessions[place].lines = lines
        }
        conversations[slot].sessions[place].shownLine = shownLine(envelope, shown, slot: slot)
        conversations[slot].placeSeen(
            conversations[slot].sessions[place].shownLine?.place ?? 0
        )
    }

    /// Begins to live: numbers its changes in a new run and reserves its first sequences.
    package mutating func start(at now: Moment) -> Effects {
        turn.now = now
        for slot in conversations.indices { begin(slot) }
        turn.writes += blobs.dropUnlisted().map(StoreWrite.blobDropped)
        return finishTurn()
    }
}
