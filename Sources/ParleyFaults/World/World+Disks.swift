import ParleyCore

/// The stores of the nodes, and the inputs that follow from commits.
extension World {
    /// Queues writes for a commit.
    func submit(_ persist: Persist, of node: Int) {
        nodes[node].commits.add(persist)
        guard !settings.groupsCommits else { return beginCommit(node) }
        scheduleCommit(of: node)
    }

    private func scheduleCommit(of node: Int) {
        timeline.plan(event(.commit, at: node), in: settings.commitDelay)
    }

    /// Starts a transaction with all waiting writes, unless one is running.
    private func beginCommit(_ node: Int) {
        guard settings.groupsCommits, nodes[node].commits.begin() else { return }
        let delay = timeline.delay(settings.commitDelay, mean: settings.commitDelayMean)
        timeline.plan(event(.commit, at: node), after: delay)
    }

    func commit(_ node: Int) {
        let process = nodes[node].process
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
        if failure == .error, timeline.random.chance(1, in: 2) {
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
        timeline.plan(event(.retryCommit, at: node), after: nodes[node].commits.fail())
        input(.storeBlocked(true), to: node)
    }

    func retryCommit(_ node: Int) {
        guard nodes[node].commits.isBlocked, !nodes[node].commits.isCommitting else { return }
        guard nodes[node].commits.begin(isRetry: true) else {
            return timeline.plan(event(.retryCommit, at: node), after: .milliseconds(200))
        }
        scheduleCommit(of: node)
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
