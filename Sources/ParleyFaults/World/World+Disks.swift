import ParleyCore

/// The stores of the nodes, and what they tell their nodes.
extension World {
    /// Queues writes for a commit.
    func submit(_ persist: Persist, of node: Int) {
        nodes[node].commits.add(persist)
        guard !settings.groupsCommits else { return beginCommit(node) }
        scheduleCommit(of: node)
    }

    private func scheduleCommit(of node: Int) {
        schedule(.commit(node: node, process: nodes[node].process), in: settings.commitDelay)
    }

    /// Starts a transaction with all waiting writes, unless one is running.
    private func beginCommit(_ node: Int) {
        guard settings.groupsCommits, nodes[node].commits.begin() else { return }
        let delay = delay(settings.commitDelay, mean: settings.commitDelayMean)
        queue.add(
            .commit(node: node, process: nodes[node].process),
            at: now + Interval(nanoseconds: delay * 1_000)
        )
    }

    func commit(_ node: Int, _ process: Int) {
        guard isLive(node, process) else { return }
        switch nodes[node].commits.end(inGroups: settings.groupsCommits) {
        case nil: return
        case .failed(let failure): failCommit(node, failure)
        case .done(let persists, let unblocks):
            write(persists[...], of: node)
            if unblocks { input(.storeBlocked(false), to: node) }
            guard isLive(node, process), let last = persists.last else { return }
            input(.committed(last.ticket), to: node)
            guard isLive(node, process) else { return }
            beginCommit(node)
        }
    }

    func write(_ persists: ArraySlice<Persist>, of node: Int) {
        for persist in persists {
            nodes[node].disk.apply(persist.writes)
            emit(.persisted(node: node, persist))
        }
    }

    /// Tells the node that its store fails; the queue retries the same writes.
    private func failCommit(_ node: Int, _ failure: DiskFailure) {
        if failure == .error, random.chance(1, in: 2) {
            // In doubt: the commit is reported as failed, and yet it is durable. Repeating it
            // changes nothing.
            for persist in nodes[node].commits.transaction {
                nodes[node].disk.apply(persist.writes)
            }
            nodes[node].disk.isInDoubt = true
        }
        note(
            node,
            failure == .full ? "cannot write: its disk is full" : "cannot write: its disk fails"
        )
        let retry = Event.retryCommit(node: node, process: nodes[node].process)
        queue.add(retry, at: now + nodes[node].commits.fail())
        input(.storeBlocked(true), to: node)
    }

    func retryCommit(_ node: Int, _ process: Int) {
        guard isLive(node, process), nodes[node].commits.isBlocked,
            !nodes[node].commits.isCommitting
        else { return }
        guard nodes[node].commits.begin(isRetry: true) else {
            queue.add(.retryCommit(node: node, process: process), at: now + .milliseconds(200))
            return
        }
        scheduleCommit(of: node)
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
        nodes[node].commits.isStalled = true
    }

    /// Lets stalled commits continue.
    package func resumeCommitting(_ node: Int) {
        nodes[node].commits.isStalled = false
        guard settings.groupsCommits else {
            for _ in nodes[node].commits.waiting { scheduleCommit(of: node) }
            return
        }
        guard nodes[node].commits.isCommitting else { return beginCommit(node) }
        scheduleCommit(of: node)
    }
}
