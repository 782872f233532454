import ParleyCore

/// The stores, which behave like a node's commit queue with SQLite: a transaction is durable as a
/// whole or not at all, and is confirmed only after its sync.
extension World {
    /// Queues writes for a commit.
    func submit(_ persist: Persist, of node: Int) {
        nodes[node].uncommitted.append(persist)
        guard settings.groupsCommits else {
            schedule(.commit(node: node, process: nodes[node].process), in: settings.commitDelay)
            return
        }
        beginCommit(node)
    }

    /// Starts a transaction with all waiting writes, unless one is running.
    func beginCommit(_ node: Int) {
        guard settings.groupsCommits, nodes[node].committing == 0, !nodes[node].isBlocked,
            nodes[node].isCommitting, !nodes[node].uncommitted.isEmpty
        else { return }
        nodes[node].committing = nodes[node].uncommitted.count
        let delay = delay(settings.commitDelay, mean: settings.commitDelayMean)
        queue.add(
            .commit(node: node, process: nodes[node].process),
            at: now + Interval(nanoseconds: delay * 1_000)
        )
    }

    func commit(_ node: Int, _ process: Int) {
        guard isLive(node, process), nodes[node].isCommitting, !nodes[node].uncommitted.isEmpty
        else { return }
        guard settings.groupsCommits else {
            let ticket = write(1, of: node)
            input(.committed(ticket), to: node)
            return
        }
        guard nodes[node].committing > 0 else { return }
        if let failure = nodes[node].trouble?.strike() { return failCommit(node, failure) }
        let ticket = write(nodes[node].committing, of: node)
        nodes[node].committing = 0
        nodes[node].retryMilliseconds = 200
        if nodes[node].isBlocked {
            nodes[node].isBlocked = false
            input(.storeBlocked(false), to: node)
        }
        guard isLive(node, process) else { return }
        input(.committed(ticket), to: node)
        guard isLive(node, process) else { return }
        beginCommit(node)
    }

    /// Puts the oldest writes on disk and returns the ticket of the last one.
    private func write(_ count: Int, of node: Int) -> Ticket {
        let persists = nodes[node].uncommitted.prefix(count)
        nodes[node].uncommitted.removeFirst(count)
        var ticket = Ticket(0)
        for persist in persists {
            nodes[node].disk.apply(persist.writes)
            ticket = persist.ticket
            emit(.persisted(node: node, persist))
        }
        return ticket
    }

    /// Tells the node that its store fails; the queue retries the same writes.
    private func failCommit(_ node: Int, _ failure: DiskFailure) {
        if failure == .error, random.chance(1, in: 2) {
            // In doubt: the commit is reported as failed, and yet it is durable. Repeating it
            // changes nothing.
            for persist in nodes[node].uncommitted.prefix(nodes[node].committing) {
                nodes[node].disk.apply(persist.writes)
            }
            nodes[node].disk.isInDoubt = true
        }
        nodes[node].committing = 0
        nodes[node].isBlocked = true
        note(
            node,
            failure == .full ? "cannot write: its disk is full" : "cannot write: its disk fails"
        )
        let wait = Interval.milliseconds(nodes[node].retryMilliseconds)
        nodes[node].retryMilliseconds = min(5_000, nodes[node].retryMilliseconds * 2)
        let process = nodes[node].process
        queue.add(.retryCommit(node: node, process: process), at: now + wait)
        input(.storeBlocked(true), to: node)
    }

    func retryCommit(_ node: Int, _ process: Int) {
        guard isLive(node, process), nodes[node].isBlocked, nodes[node].committing == 0 else {
            return
        }
        guard nodes[node].isCommitting, !nodes[node].uncommitted.isEmpty else {
            queue.add(.retryCommit(node: node, process: process), at: now + .milliseconds(200))
            return
        }
        nodes[node].committing = nodes[node].uncommitted.count
        schedule(.commit(node: node, process: process), in: settings.commitDelay)
    }

    /// Decides which pending writes of a crashed process reached its disk.
    ///
    /// With groups, that may be the next transaction too: it is written while one is synced.
    func settleDisk(of node: Int) {
        let done: Int
        if settings.groupsCommits {
            let committing = nodes[node].committing
            let isNextWritten = committing > 0 && random.chance(1, in: 4)
            if isNextWritten {
                done = Int.random(in: committing...nodes[node].uncommitted.count, using: &random)
            } else {
                done = random.chance(1, in: 2) ? committing : 0
            }
        } else {
            done = Int.random(in: 0...nodes[node].uncommitted.count, using: &random)
        }
        let fails = nodes[node].trouble?.isStriking ?? false
        guard !fails else { return }
        for persist in nodes[node].uncommitted.prefix(done) {
            nodes[node].disk.apply(persist.writes)
            emit(.persisted(node: node, persist))
        }
    }

    func answer(_ read: StoreRead, of node: Int) {
        switch read {
        case .session(let row):
            input(.loaded(row: row, heads: nodes[node].disk.rows[row]?.heads ?? []), to: node)
        case .blobChunk(let read):
            let bytes = nodes[node].disk.chunk(read.index, of: read.blob)
            input(.blobChunkLoaded(read, bytes), to: node)
        case .blob(let blob):
            input(.blobLoaded(blob, nodes[node].disk.stored(blob)), to: node)
        }
    }

    /// Stalls the commits of a node.
    package func stopCommitting(_ node: Int) {
        nodes[node].isCommitting = false
    }

    /// Lets stalled commits continue.
    package func resumeCommitting(_ node: Int) {
        nodes[node].isCommitting = true
        guard settings.groupsCommits else {
            for _ in nodes[node].uncommitted {
                let event = Event.commit(node: node, process: nodes[node].process)
                schedule(event, in: settings.commitDelay)
            }
            return
        }
        guard nodes[node].committing > 0 else { return beginCommit(node) }
        let event = Event.commit(node: node, process: nodes[node].process)
        schedule(event, in: settings.commitDelay)
    }
}

/// A disk that fails from a certain commit on.
struct DiskTrouble {
    let failure: DiskFailure
    /// The number of commits that still succeed.
    private var commitsLeft: Int

    init(_ failure: DiskFailure, after commits: Int) {
        self.failure = failure
        commitsLeft = commits
    }

    var isStriking: Bool { commitsLeft == 0 }

    /// The failure of the next commit, nil if it succeeds.
    mutating func strike() -> DiskFailure? {
        guard commitsLeft > 0 else { return failure }
        commitsLeft -= 1
        return nil
    }
}
