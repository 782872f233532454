import ParleyCore

/// Begins and ends faults.
extension World {
    // MARK: Faults with a length

    /// Injects a fault now; a fault with a length ends by itself.
    package func strike(_ fault: Fault) {
        hash.add(fault.kind.rawValue)
        emit(.fault(fault))
        guard fault.begin(in: self) else { return }
        faultCounts.add(fault.kind)
        guard let length = fault.length else { return }
        timeline.plan(.faultEnds(fault, generation: faultGeneration), after: length)
    }

    /// Ends all faults and starts every stopped node; bytes that were held back arrive, or their
    /// connections break.
    package func quiesce(keepsBytes: Bool = true) {
        faultGeneration += 1
        settings.breaksPer10000 = 0
        settings.dialFailuresPer100 = 0
        settings.halfDialsPer100 = 0
        heal(keepsBytes: keepsBytes)
        network.changeAll { $0.slowness = 0 }
        for node in nodes.indices {
            nodes[node].commits.trouble = nil
            nodes[node].loop.crash = nil
            resume(node)
            start(node)
            resumeReading(node)
            resumeCommitting(node)
        }
        emit(.quiescence)
    }

    /// Starts nodes that keep little of a conversation again, with capacity for everything: what
    /// was left out has to arrive in the end.
    package func liftQuotas() {
        for node in nodes.indices where !nodes[node].isByzantine {
            let lifted = (nodes[node].limits ?? settings.limits).withUsualQuotas
            if let lifted { restart(node, lifted) }
        }
    }

    func isRunning(_ node: Int) -> Bool {
        nodes.indices.contains(node) && nodes[node].isRunning
    }

    // MARK: The network

    /// Cuts both paths between two nodes silently.
    package func cut(_ one: Int, _ other: Int) {
        network.change(between: [one], and: [other]) { $0.cuts = 1 }
    }

    /// Cuts the nodes of `island` off from all others.
    package func isolate(_ island: [Int]) {
        let others = nodes.indices.filter { !island.contains($0) }
        network.change(between: island, and: others) { $0.cuts = 1 }
    }

    /// Ends all cuts; bytes that were held back arrive, or their connections break.
    package func heal(keepsBytes: Bool = true) {
        let stalled = network.stalled
        uncut()
        for number in stalled {
            if keepsBytes, network.wires[number]?.ends.allSatisfy(isLive) == true {
                release(number)
            } else {
                timeline.plan(.reset(wire: number), in: settings.wireDelay)
            }
        }
    }

    /// Ends all cuts; bytes that were held back stay held.
    package func uncut() { network.changeAll { $0.cuts = 0 } }

    /// Ends the cut between two nodes; bytes that were held back arrive.
    package func mend(_ one: Int, _ other: Int) {
        network.change(between: [one], and: [other]) { $0.cuts = 0 }
        for number in network.wires(between: one, other) {
            release(number)
        }
    }

    func changeCuts(_ from: [Int], _ to: [Int], _ bothWays: Bool, by change: Int) {
        network.change(from: from, to: to) { $0.cuts = max(0, $0.cuts + change) }
        if bothWays { network.change(from: to, to: from) { $0.cuts = max(0, $0.cuts + change) } }
        if change < 0 { releaseWires() }
    }

    func slow(_ from: [Int], _ to: [Int], by microseconds: Int64) {
        network.change(from: from, to: to) { $0.slowness = max(0, $0.slowness + microseconds) }
    }

    /// Breaks the connections between two nodes.
    package func resetWires(_ one: Int, _ other: Int) {
        for number in network.wires(between: one, other) { reset(number) }
    }

    /// Makes a node stop reading from its connections.
    package func stopReading(_ node: Int) {
        nodes[node].sockets.isReading = false
    }

    /// Makes a node read from its connections again.
    package func resumeReading(_ node: Int) {
        nodes[node].sockets.isReading = true
        releaseWires()
    }
}

extension Limits {
    /// Whether a node keeps less of conversations than nodes do by default.
    var keepsLittle: Bool { withUsualQuotas != nil }

    /// The limits with the default quotas; nil if the quotas are the default ones.
    fileprivate var withUsualQuotas: Limits? {
        let usual = Limits()
        var lifted = self
        lifted.quota = usual.quota
        lifted.openQuota = usual.openQuota
        lifted.openConversations = usual.openConversations
        lifted.allConversations = usual.allConversations
        return lifted == self ? nil : lifted
    }
}
