extension NodeMachine {
    /// The number of the session known by `tag`, made if there is none and there is room for one.
    mutating func sessionNumber(
        _ tag: SessionTag,
        origin: OriginID,
        slot: Int
    ) -> Int32? {
        if let number = conversations[slot].sessionNumbers[tag] { return number }
        guard !commits.isBlocked,
            (conversations[slot].origins[origin]?.sessions ?? 0)
                < configuration.limits.sessionsPerOrigin
        else { return nil }
        conversations[slot].origins[origin]?.sessions += 1
        return conversations[slot].addSession(tag, row: takeRow())
    }

    private mutating func takeRow() -> Int64 {
        defer { nextRow += 1 }
        return nextRow
    }

    mutating func addHead(
        _ record: HeadRecord,
        _ head: Head,
        slot: Int,
        session: Int32
    ) {
        conversations[slot].sessions[Int(session)].heads.append(record)
        conversations[slot].sum(head, tag: session, adding: true)
        cache.kept(record.size)
        if !conversations[slot].sessions[Int(session)].isInCacheQueue {
            conversations[slot].sessions[Int(session)].isInCacheQueue = true
            cache.queued(conversation: conversations[slot].number, session: session)
        }
        if conversations[slot].origins[head.dot.origin]?.isStored == false {
            storeOrigin(head.dot.origin, slot: slot)
        }
        for blob in record.blobs { list(blob, slot: slot) }
    }

    mutating func removeHead(_ head: Head, slot: Int, session: Int32) {
        guard let place = conversations[slot].sessions[Int(session)].index(of: head.dot) else {
            return
        }
        let record = conversations[slot].sessions[Int(session)].heads.remove(at: place)
        conversations[slot].sum(head, tag: session, adding: false)
        if record.envelope != nil { cache.dropped(record.size) }
        for blob in record.blobs { unlist(blob, slot: slot) }
    }

    private mutating func storeOrigin(_ id: OriginID, slot: Int) {
        guard let origin = conversations[slot].origins[id] else { return }
        conversations[slot].origins[id]?.isStored = true
        turn.writes.append(
            .origin(conversation: conversations[slot].number, id, origin.record)
        )
    }

    /// The row of the session is written at the end of the turn, however often it changes in it.
    mutating func markDirty(slot: Int, session: Int32) {
        guard !conversations[slot].sessions[Int(session)].isDirty else { return }
        conversations[slot].sessions[Int(session)].isDirty = true
        turn.changedSessions.append((slot, session))
    }

    /// Makes the rows of what changed in this turn, and lets old envelopes leave memory.
    mutating func writeSessions() {
        for (slot, session) in turn.changedSessions {
            let place = Int(session)
            conversations[slot].sessions[place].isDirty = false
            conversations[slot].sessions[place].lastWrite = commits.next
            turn.writes.append(.session(conversations[slot].row(session)))
        }
        turn.changedSessions = []
        while let (number, session) = cache.next() {
            guard evict(session, of: number) else { break }
        }
    }

    /// Lets the envelopes of a session leave memory.
    ///
    /// - Returns: false if they are not on disk yet; the session then goes to the end of the line.
    private mutating func evict(_ session: Int32, of number: UInt32) -> Bool {
        guard let slot = conversationIndex(number) else { return true }
        let place = Int(session)
        guard conversations[slot].sessions[place].lastWrite <= commits.committed else {
            cache.queued(conversation: number, session: session)
            return false
        }
        conversations[slot].sessions[place].isInCacheQueue = false
        for head in conversations[slot].sessions[place].heads.indices
        where conversations[slot].sessions[place].heads[head].envelope != nil {
            conversations[slot].sessions[place].heads[head].envelope = nil
            cache.dropped(conversations[slot].sessions[place].heads[head].size)
        }
        return true
    }
}

extension HeadRecord {
    /// Links kept per head; who is not among them is told once more than necessary.
    private static let knownToMax = 8

    /// The peer of a link has the envelope; of `links`, those that are gone are forgotten first.
    mutating func know(_ link: LinkID, among links: [Link]) {
        guard !knownTo.contains(link) else { return }
        if knownTo.count == Self.knownToMax {
            knownTo.removeAll { known in !links.contains { $0.id == known } }
        }
        if knownTo.count == Self.knownToMax { knownTo.removeFirst() }
        knownTo.append(link)
    }
}

extension ConversationState {
    /// Whether just this envelope is a head here.
    func knows(_ head: Head, tag: SessionTag) -> Bool {
        guard let place = sessionNumbers[tag].map({ Int($0) }) else { return false }
        // Read in place: a copy of a session costs more than the search.
        for index in sessions[place].register.heads.indices
        where sessions[place].register.heads[index].dot == head.dot
            && sessions[place].register.heads[index].digest == head.digest
        {
            return true
        }
        return false
    }

    /// The peer of a link has a head.
    mutating func know(
        _ link: LinkID,
        among links: [Link],
        has dot: Dot,
        tag: SessionTag
    ) {
        guard let session = sessionNumbers[tag].map({ Int($0) }),
            let head = sessions[session].index(of: dot)
        else { return }
        sessions[session].heads[head].know(link, among: links)
    }

    mutating func addSession(_ tag: SessionTag, row: Int64) -> Int32 {
        let number = Int32(sessions.count)
        sessions.append(SessionState(tag: tag, row: row))
        sessionNumbers[tag] = number
        sessionRows[row] = number
        return number
    }

    /// Adds a head to the audit sum of its session's bucket, or takes it out.
    mutating func sum(_ head: Head, tag session: Int32, adding: Bool) {
        let bucket = Int(sessions[Int(session)].tag.value.words.0 >> 56)
        let part = head.digest.words.0
        auditSums[bucket] = adding ? auditSums[bucket] &+ part : auditSums[bucket] &- part
    }

    mutating func placeSeen(_ place: UInt64) {
        highestPlace = max(highestPlace, place)
    }

    /// The row of a session as it is to be stored.
    func row(_ session: Int32) -> SessionRow {
        let place = Int(session)
        return SessionRow(
            row: sessions[place].row,
            conversation: number,
            tag: sessions[place].tag,
            position: feed.position(of: session) ?? 0,
            heads: sessions[place].heads.map { StoredHead(dot: $0.dot, envelope: $0.envelope) },
            lines: sessions[place].lines.isEmpty
                ? .empty : Slice(sessions[place].lines.encoded())
        )
    }
}
