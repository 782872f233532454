package import ParleyCore

/// Begins and ends faults.
extension World {
    // MARK: Faults with a length

    /// Injects a fault now; a fault with a length ends by itself.
    package func strike(_ fault: Fault) {
        hash.add(fault.kind.rawValue)
        emit(.fault(fault))
        guard begin(fault) else { return }
        faultCounts.add(fault.kind)
        guard let length = fault.length else { return }
        queue.add(.faultEnds(fault, generation: faultGeneration), at: now + length)
    }

    /// Begins a fault; returns whether it was possible.
    private func begin(_ fault: Fault) -> Bool {
        switch fault {
        case .crash(let node, let power, _):
            guard isRunning(node) else { return false }
            crash(node, losesPower: power)
        case .crashAfter(let node, let steps, let down):
            guard isRunning(node) else { return false }
            nodes[node].loop.crash = SimulatedLoop.Crash(steps: steps, down: down)
        case .restart(let node, _):
            guard isRunning(node), !nodes[node].isPaused else { return false }
            stop(node)
        case .pause(let node, _, _):
            guard isRunning(node) else { return false }
            pause(node)
        case .deaf(let node, _):
            guard isRunning(node) else { return false }
            stopReading(node)
        case .cut(let from, let to, let bothWays, _): changeCuts(from, to, bothWays, by: 1)
        case .slow(let from, let to, let microseconds, _): slow(from, to, by: microseconds)
        case .reset(let one, let other): resetWires(one, other)
        case .networkChange(let node): give(.networkChanged, to: node)
        default: return beginMore(fault)
        }
        return true
    }

    private func beginMore(_ fault: Fault) -> Bool {
        switch fault {
        case .disk(let node, let failure, let commits, _):
            guard nodes.indices.contains(node) else { return false }
            nodes[node].commits.trouble = DiskTrouble(failure, after: commits)
        case .diskStall(let node, _):
            guard isRunning(node) else { return false }
            stopCommitting(node)
        case .lostRow(let node, let pick): return damage(node, pick) { $0.lose($1) }
        case .damagedRow(let node, let pick): return damage(node, pick) { $0.damage($1) }
        case .damagedBlob(let node, let pick):
            guard nodes.indices.contains(node), let blob = nodes[node].disk.blob(pick: pick) else {
                return false
            }
            nodes[node].disk.spoil(blob, pick: pick >> 32)
        case .backup(let node):
            guard nodes.indices.contains(node) else { return false }
            nodes[node].backup = nodes[node].disk
        case .restore(let node, let inPlace): return restore(node, inPlace: inPlace)
        case .clone(let node, let inPlace): return startClone(of: node, inPlace: inPlace)
        case .wallClock(let node, let milliseconds):
            guard nodes.indices.contains(node) else { return false }
            nodes[node].clock.wallOffset += milliseconds
        case .clockRate(let node, let rate): return changeClock(node, rate)
        default: return false
        }
        return true
    }

    func end(_ fault: Fault) {
        switch fault {
        case .crash(let node, _, _), .crashAfter(let node, _, _), .restart(let node, _): start(node)
        case .pause(let node, let sleep, _):
            resume(node)
            if sleep, isRunning(node) { input(.networkChanged, to: node) }
        case .deaf(let node, _): resumeReading(node)
        case .cut(let from, let to, let bothWays, _): changeCuts(from, to, bothWays, by: -1)
        case .slow(let from, let to, let microseconds, _): slow(from, to, by: -microseconds)
        case .disk(let node, _, _, _): nodes[node].commits.trouble = nil
        case .diskStall(let node, _): resumeCommitting(node)
        default: break
        }
    }

    /// Ends all faults and starts every stopped node; bytes that were held back arrive, or their
    /// connections break.
    package func quiesce(keepsBytes: Bool = true) {
        faultGeneration += 1
        settings.breaksPer10000 = 0
        settings.dialFailuresPer100 = 0
        settings.halfDialsPer100 = 0
        heal(keepsBytes: keepsBytes)
        for from in nodes.indices {
            for to in nodes.indices { paths[from][to].slowness = 0 }
        }
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

    /// Starts nodes that keep little of a conversation again, with capacity for everything: all
    /// that they left out has to arrive in the end.
    package func liftQuotas() {
        for node in nodes.indices where !nodes[node].isByzantine {
            var limits = nodes[node].limits ?? settings.limits
            guard limits.keepsLittle else { continue }
            limits.quota = Limits().quota
            limits.openQuota = Limits().openQuota
            limits.openConversations = Limits().openConversations
            limits.allConversations = Limits().allConversations
            restart(node, limits)
        }
    }

    func isRunning(_ node: Int) -> Bool {
        nodes.indices.contains(node) && nodes[node].isRunning
    }

    // MARK: Disks and clocks

    private func damage(
        _ node: Int,
        _ pick: UInt64,
        _ body: (inout SimulatedDisk, SessionTag) -> Void
    ) -> Bool {
        guard nodes.indices.contains(node), let tag = nodes[node].disk.tag(pick: pick) else {
            return false
        }
        let wasRunning = nodes[node].isRunning
        crash(node)
        body(&nodes[node].disk, tag)
        note(node, "loses \(word(tag)) from its disk")
        if wasRunning { start(node) }
        return true
    }

    private func restore(_ node: Int, inPlace: Bool) -> Bool {
        guard nodes.indices.contains(node), let backup = nodes[node].backup else { return false }
        let wasRunning = nodes[node].isRunning
        crash(node)
        nodes[node].disk = backup
        if !inPlace { nodes[node].disk.forgetEpoch() }
        note(node, "has its backup restored")
        if wasRunning { start(node) }
        return true
    }

    private func changeClock(_ node: Int, _ rate: Int64) -> Bool {
        guard nodes.indices.contains(node) else { return false }
        nodes[node].clock.run(at: rate, from: now)
        // The deadline of the timer is at another moment of the world now.
        if isRunning(node) { give(.timer, to: node) }
        return true
    }

    // MARK: The network

    /// Whether two nodes can open a connection.
    package func canReach(_ one: Int, _ other: Int) -> Bool {
        !paths[one][other].isCut && !paths[other][one].isCut
    }

    /// Cuts both paths between two nodes silently.
    package func cut(_ one: Int, _ other: Int) {
        paths[one][other].cuts = 1
        paths[other][one].cuts = 1
    }

    /// Cuts the nodes of `island` off from all others.
    package func isolate(_ island: [Int]) {
        for node in island {
            for other in nodes.indices where !island.contains(other) { cut(node, other) }
        }
    }

    /// Ends all cuts; bytes that were held back arrive, or their connections break.
    package func heal(keepsBytes: Bool = true) {
        let stalled = wires.keys.sorted().filter { number in
            wires[number].map { isStalled($0, lane: 0) || isStalled($0, lane: 1) } ?? false
        }
        for from in nodes.indices {
            for to in nodes.indices { paths[from][to].cuts = 0 }
        }
        for number in stalled {
            let isWhole = wires[number]?.ends.allSatisfy { isLive($0.node, $0.process) } ?? false
            if keepsBytes, isWhole {
                release(number)
            } else {
                schedule(.reset(wire: number), in: settings.wireDelay)
            }
        }
    }

    /// Ends all cuts; bytes that were held back stay held.
    package func uncut() {
        for from in nodes.indices {
            for to in nodes.indices { paths[from][to].cuts = 0 }
        }
    }

    /// Ends the cut between two nodes; bytes that were held back arrive.
    package func mend(_ one: Int, _ other: Int) {
        paths[one][other].cuts = 0
        paths[other][one].cuts = 0
        for number in wires.keys.sorted() where wires[number]?.joins(one, other) == true {
            release(number)
        }
    }

    private func changeCuts(_ from: [Int], _ to: [Int], _ bothWays: Bool, by change: Int) {
        for one in from {
            for other in to where one != other {
                guard nodes.indices.contains(one), nodes.indices.contains(other) else { continue }
                paths[one][other].cuts = max(0, paths[one][other].cuts + change)
                guard bothWays else { continue }
                paths[other][one].cuts = max(0, paths[other][one].cuts + change)
            }
        }
        if change < 0 { releaseWires() }
    }

    private func slow(_ from: [Int], _ to: [Int], by microseconds: Int64) {
        for one in from {
            for other in to where one != other {
                guard nodes.indices.contains(one), nodes.indices.contains(other) else { continue }
                paths[one][other].slowness = max(0, paths[one][other].slowness + microseconds)
            }
        }
    }

    /// Breaks the connections between two nodes.
    package func resetWires(_ one: Int, _ other: Int) {
        for number in wires.keys.sorted() where wires[number]?.joins(one, other) == true {
            reset(number)
        }
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

extension Fault {
    /// The duration of the fault; nil if it is permanent or momentary.
    package var length: Interval? {
        switch self {
        case .crash(_, _, let length), .restart(_, let length), .pause(_, _, let length),
            .deaf(_, let length), .cut(_, _, _, let length), .slow(_, _, _, let length),
            .disk(_, _, _, let length), .diskStall(_, let length):
            length
        case .crashAfter, .reset, .networkChange, .lostRow, .damagedRow, .damagedBlob, .backup,
            .restore, .clone, .wallClock, .clockRate:
            nil
        }
    }
}

extension Limits {
    /// Whether a node keeps less of conversations than nodes do by default.
    var keepsLittle: Bool {
        let usual = Limits()
        return quota != usual.quota || openQuota != usual.openQuota
            || openConversations != usual.openConversations
            || allConversations != usual.allConversations
    }
}
