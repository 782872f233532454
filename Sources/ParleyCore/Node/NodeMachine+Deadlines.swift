extension NodeMachine {
    /// How often two level stores are compared.
    static var auditInterval: Interval { .seconds(30) }
    /// How long a feed position that came without anything to store may wait for company.
    static var cursorDelay: Interval { .seconds(1) }

    /// Does what is due.
    mutating func meetDeadlines() {
        for index in links.indices { meetDeadlines(ofLink: index) }
        for slot in conversations.indices { askNextHolders(slot) }
        if let due = auditDue, due <= turn.now {
            auditDue = nil
            startAudits()
        }
        if auditDue == nil, links.memberCount > 0 {
            let jitter = Int64.random(in: 0...5_000, using: &random)
            auditDue = turn.now + Self.auditInterval + .milliseconds(jitter)
        }
        blobs.retryOverdue(at: turn.now)
    }

    private mutating func meetDeadlines(ofLink index: Int) {
        if let deadline = links[index].phase.deadline, deadline <= turn.now {
            if links[index].hello == nil {
                close(index, saying: .silent, text: "no hello")
            } else {
                close(index, saying: .nothingShared, text: "no conversation is shared")
                sharesNothing(index)
            }
        }
        if let check = links[index].duplicate, check.deadline <= turn.now {
            duplicateUnanswered(index)
        }
        guard links[index].phase != .closing else { return }
        switch links[index].liveness.check(at: turn.now) {
        case .well: break
        case .ping: ping(index)
        case .suspect:
            dialsDue = turn.now
            tell(index, .suspected)
            ping(index)
            book.retry(links[index].device, isMember: links[index].isMember, at: turn.now)
        case .dead: close(index, saying: .silent, text: "nothing was heard for 15 s")
        }
    }

    /// Dials whoever should be linked and is not, or does not answer.
    mutating func dials() -> [Dial] {
        guard !isStopping, book.hasChanged || dialsDue.map({ $0 <= turn.now }) ?? false else {
            return []
        }
        // Read in place: a copy of a link costs more than the search.
        var linked: [UInt64] = []
        for index in links.indices where !links[index].liveness.isSuspect {
            linked.append(links[index].device.hint)
        }
        let dials = book.dials(at: turn.now) { linked.contains($0) }
        dialsDue = book.deadline { linked.contains($0) }
        return dials
    }

    /// The earliest moment at which something is due.
    func nextDeadline() -> Moment? {
        var next = Earliest()
        next.add(auditDue)
        next.add(cursorsDue)
        next.add(blobs.deadline)
        if !isStopping { next.add(dialsDue) }
        for index in links.indices { addDeadlines(ofLink: index, to: &next) }
        for slot in conversations.indices { next.add(conversations[slot].wants.deadline) }
        return next.moment
    }

    private func addDeadlines(ofLink index: Int, to next: inout Earliest) {
        next.add(links[index].phase.deadline)
        next.add(links[index].duplicate?.deadline)
        next.add(links[index].liveness.deadline)
        guard links[index].isLive else { return }
        for share in links[index].shares.indices {
            next.add(links[index].shares[share].outgoing.tellDeadline)
        }
    }
}

/// The earliest of several moments.
private struct Earliest {
    private(set) var moment: Moment?

    mutating func add(_ other: Moment?) {
        guard let other else { return }
        moment = moment.map { min($0, other) } ?? other
    }
}
