extension Conversation {
    /// Merges a checked envelope into its session.
    package mutating func merge(
        _ arrival: Arrival,
        _ terms: MergeTerms,
        cache: inout EnvelopeCache,
        using crypto: some Cryptography
    ) -> MergeReport {
        guard origins.accept(arrival, in: keys.generations, using: crypto) else {
            // The sender may not know yet who was thrown out, so the link goes on.
            keys.generations.uncounted.note(arrival.head, tag: arrival.header.tag)
            var report = MergeReport(.obsolete)
            report.settled = settle(arrival.name)
            return report
        }
        if let report = mergeUsual(arrival, terms, cache: &cache, using: crypto) { return report }
        var report = mergeHead(arrival, terms, cache: &cache, using: crypto)
        guard arrival.source != nil else { return report }
        let name = arrival.name
        if report.result != .obsolete {
            // The peers that announced the envelope have it.
            for holder in wants.holders(of: name) {
                sessions.know(holder, has: name.dot, tag: name.tag, openLinks: terms.openLinks)
            }
        }
        report.settled = settle(name)
        return report
    }

    /// Merges any envelope; the result of a usual one is that of `mergeUsual`.
    mutating func mergeHead(
        _ arrival: Arrival,
        _ terms: MergeTerms,
        cache: inout EnvelopeCache,
        using crypto: some Cryptography
    ) -> MergeReport {
        let head = arrival.head
        let tag = arrival.header.tag
        let known = arrival.session ?? sessions.numbers[tag]
        if let held = held(arrival, in: known, terms) { return held }
        let session = known ?? sessions.add(tag, row: cache.takeRow())
        var report = MergeReport(.changed)
        let index = Int(session)
        let linesBefore = keysInTranscript(of: session)
        let outcome = sessions[index].register.merge(head)
        note(outcome, of: arrival, in: &report)
        guard let change = outcome.change else {
            if regain(arrival, session, terms, in: &cache) {
                markChanged(session, in: &report)
                return report
            }
            report.result = unchanged(outcome, arrival, index, openLinks: terms.openLinks)
            if report.result == .known { report.author = origins.device(of: head.dot.origin) }
            report.dropped = droppedWithoutChange(outcome, arrival, index)
            return report
        }
        var writer = OriginState.noWriter
        if change.isKept {
            (writer, report.isFirstOfOrigin) = storeOrigin(head.dot.origin)
        }
        let record = HeadRecord(
            arrival,
            writer: writer,
            position: feed.latest + 1,
            sentAfter: arrival.source == nil ? terms.ticket : Ticket(0),
            isFetched: wants.isAsked(arrival.name)
        )
        report.outOfTurn = outOfTurn(head.dot, replacing: change.replaced, index)
        for replaced in change.replaced {
            report.unlisted += removeHead(replaced, session, cache: &cache)
        }
        if change.isKept {
            addHead(record, head, session, cache: &cache, report: &report)
        }
        if let dropped = outcome.dropped {
            let blobs = removeHead(dropped, session, cache: &cache)
            report.dropped = DroppedHead(dot: dropped.dot, blobs: blobs)
        }
        report.isShown = change.isKept && read(arrival, change, index, using: crypto)
        reorder(session, from: linesBefore)
        number(session, record.position, until: terms.ticket)
        if change.startsConflict || change.settlesConflict || change.headsAfter > 1 {
            report.conflict = sessions[index].register.heads.map(\.dot)
        }
        markChanged(session, in: &report)
        return report
    }

    /// Notes that the row of a session has to be written at the end of this step.
    @inline(__always)
    mutating func markChanged(_ session: Int32, in report: inout MergeReport) {
        report.changedSession = sessions[Int(session)].isDirty ? nil : session
        sessions[Int(session)].isDirty = true
    }

    /// Takes an envelope that belongs to a lost head.
    ///
    /// The session gets a new position, because peers that follow the feed were not sent the head.
    private mutating func regain(
        _ arrival: Arrival,
        _ session: Int32,
        _ terms: MergeTerms,
        in cache: inout EnvelopeCache
    ) -> Bool {
        let index = Int(session)
        guard let head = sessions[index].index(of: arrival.head.dot),
            sessions[index].heads[head].isLost,
            sessions[index].register.heads.contains(where: {
                $0.dot == arrival.head.dot && $0.digest == arrival.head.digest
            })
        else { return false }
        let record = HeadRecord(
            arrival,
            writer: sessions[index].heads[head].writer,
            position: feed.latest + 1,
            isFetched: true
        )
        sessions.regain(record, at: head, arrival.head, of: session)
        cache.kept(record.place, size: record.size)
        sessions.queue(session, in: &cache)
        number(session, record.position, until: terms.ticket)
        return true
    }

    /// The report of an envelope without capacity; nil if there is capacity.
    private mutating func held(
        _ arrival: Arrival,
        in session: Int32?,
        _ terms: MergeTerms
    ) -> MergeReport? {
        var report = MergeReport(.held)
        guard session != nil || terms.mayGrow else { return report }
        guard let shortage = shortage(for: arrival, in: session, beside: terms.totals) else {
            return nil
        }
        amounts.leaveOut(author(of: arrival.head.dot.origin), for: shortage, in: &report)
        return report
    }

    /// Notes an equivocation, and an envelope of an own origin that this process never wrote.
    ///
    /// For an own origin, both mean that a copy of the data directory is in use.
    private func note(_ outcome: MergeOutcome, of arrival: Arrival, in report: inout MergeReport) {
        report.isEquivocation = outcome.equivocation != nil
        let dot = arrival.head.dot
        guard isPresent(dot.origin) else { return }
        report.meetsCopy =
            report.isEquivocation || arrival.source != nil && dot.sequence >= ownSequences.next
    }

    /// The result of merging an envelope that changed nothing.
    private mutating func unchanged(
        _ outcome: MergeOutcome,
        _ arrival: Arrival,
        _ index: Int,
        openLinks: [LinkID]
    ) -> MergeReport.Result {
        guard let known = sessions[index].index(of: arrival.head.dot) else { return .obsolete }
        // The sender has the other envelope of an equivocation, and still lacks the head here.
        guard outcome.equivocation == nil else { return .obsolete }
        if let source = arrival.source {
            sessions.know(source, session: index, head: known, openLinks: openLinks)
        }
        return .known
    }

    private func droppedWithoutChange(
        _ outcome: MergeOutcome,
        _ arrival: Arrival,
        _ index: Int
    ) -> DroppedHead? {
        guard sessions[index].index(of: arrival.head.dot) == nil, let dropped = outcome.dropped
        else { return nil }
        return DroppedHead(dot: dropped.dot, blobs: [])
    }

    /// Gives the session a new position in the feed.
    mutating func number(_ session: Int32, _ expected: UInt64, until ticket: Ticket) {
        let before = feed.position(of: session)
        let position = feed.record(session)
        assert(position == expected, "a change was numbered twice")
        if let before { moves.moved(from: before, to: position, until: ticket) }
    }

    /// Ends the want for an envelope that arrived, and the wants for envelopes that heads dominate.
    ///
    /// - Returns: the names of those envelopes.
    mutating func settle(_ name: EnvelopeName) -> [EnvelopeName] {
        var settled: [EnvelopeName] = []
        for entry in wants.entries(of: name.tag) {
            if entry.name != name, case .missing = sessions.standing(of: entry) { continue }
            wants.settled(entry.name)
            settled.append(entry.name)
        }
        return settled
    }

    // MARK: Heads

    private mutating func addHead(
        _ record: HeadRecord,
        _ head: Head,
        _ session: Int32,
        cache: inout EnvelopeCache,
        report: inout MergeReport
    ) {
        append(record, head, session)
        cache.kept(record.place, size: record.size)
        sessions.queue(session, in: &cache)
        report.listed = record.blobs
    }

    /// Adds a head to the session, and to the amount kept of its author.
    mutating func append(_ record: HeadRecord, _ head: Head, _ session: Int32) {
        sessions.append(record, head, to: session)
        amounts.add(record.kept, of: record.writer)
    }

    mutating func removeHead(
        _ head: Head,
        _ session: Int32,
        cache: inout EnvelopeCache
    ) -> [BlobReference] {
        guard let record = sessions.remove(head, of: session) else { return [] }
        roles.sides.remove(head.dot, of: session)
        amounts.subtract(record.kept, of: record.writer)
        cache.dropped(record.place, size: record.size)
        return record.blobs
    }

    // MARK: Shown messages

    /// Opens a new head, unless this is a relay, and returns whether the head is shown.
    private mutating func read(
        _ arrival: Arrival,
        _ change: RegisterChange,
        _ index: Int,
        using crypto: some Cryptography
    ) -> Bool {
        guard keys.canRead else { return false }
        let (items, head) = (arrival.items, arrival.head)
        if change.isShown {
            show(items, head, index, using: crypto)
        } else if let line = shownLine(items, head, Int32(index), using: crypto) {
            // The message counts as replaced once it is no longer a head.
            sessions[index].lines.add(line, countMax: limits.summariesPerSession)
        }
        return change.isShown
    }

    /// Changes the shown message of a session, and keeps the line of the old one.
    mutating func show(
        _ envelope: EnvelopeItems,
        _ head: Head,
        _ index: Int,
        using crypto: some Cryptography
    ) {
        if let old = sessions[index].shownLine {
            sessions[index].lines.add(old, countMax: limits.summariesPerSession)
        }
        show(shownLine(envelope, head, Int32(index), using: crypto), index)
    }

    mutating func show(_ line: ShownLine?, _ index: Int) {
        sessions[index].shownLine = line
        highestPlace = max(highestPlace, line?.place ?? 0)
    }

    /// The transcript line of an envelope, or nil if unreadable; the name of the device is noted.
    mutating func shownLine(
        _ envelope: EnvelopeItems,
        _ head: Head,
        _ session: Int32,
        using crypto: some Cryptography
    ) -> ShownLine? {
        guard let body = opened(envelope, head, session, using: crypto) else { return nil }
        if let name = body.deviceName, let author = origins[head.dot.origin]?.author.device {
            names.learn(name, of: author, at: body.place, countMax: limits.deviceNames)
        }
        return ShownLine(
            dot: head.dot,
            place: body.place,
            revision: head.revision,
            sentAt: body.sentAt,
            session: body.session,
            summaryText: body.summaryText
        )
    }

    /// The body of a head, or nil if unreadable; its role is noted.
    mutating func opened(
        _ envelope: EnvelopeItems,
        _ head: Head,
        _ session: Int32,
        using crypto: some Cryptography
    ) -> MessageBody? {
        let generation = envelope.header.generation
        guard let key = bodyKey(of: head.dot.origin, in: generation, using: crypto),
            let body = keys.open(envelope, bodyKey: key, using: crypto)
        else { return nil }
        if body.role != nil || body.placement != nil {
            let author = origins[head.dot.origin]?.author.participant
            roles.opened(body, head, of: session, by: author, using: crypto)
        }
        return body
    }

    /// The author of `dot`, if a replaced message names only others as next.
    func outOfTurn(
        _ dot: Dot,
        replacing replaced: Few<Head>,
        _ index: Int
    ) -> ParticipantID? {
        for old in replaced.indices {
            guard let head = sessions[index].index(of: replaced[old].dot),
                !sessions[index].heads[head].next.isEmpty,
                let participant = origins[dot.origin]?.author.participant,
                !sessions[index].heads[head].next.contains(participant)
            else { continue }
            return participant
        }
        return nil
    }
}
