package import ParleyCore

/// The effects of a fault on a world.
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

    /// Begins a fault; returns whether it was possible.
    func begin(in world: World) -> Bool {
        switch self {
        case .crash(let node, let power, _):
            guard world.isRunning(node) else { return false }
            world.crash(node, losesPower: power)
        case .crashAfter(let node, let steps, let down):
            guard world.isRunning(node) else { return false }
            world.nodes[node].loop.crash = SimulatedLoop.Crash(steps: steps, down: down)
        case .restart(let node, _):
            guard world.isRunning(node), !world.nodes[node].isPaused else { return false }
            world.stop(node)
        case .pause(let node, _, _):
            guard world.isRunning(node) else { return false }
            world.pause(node)
        case .deaf(let node, _):
            guard world.isRunning(node) else { return false }
            world.stopReading(node)
        case .cut(let from, let to, let bothWays, _): world.changeCuts(from, to, bothWays, by: 1)
        case .slow(let from, let to, let microseconds, _): world.slow(from, to, by: microseconds)
        case .reset(let one, let other): world.resetWires(one, other)
        case .networkChange(let node): world.give(.networkChanged, to: node)
        default: return beginMore(in: world)
        }
        return true
    }

    private func beginMore(in world: World) -> Bool {
        switch self {
        case .disk(let node, let failure, let commits, _):
            guard world.nodes.indices.contains(node) else { return false }
            world.nodes[node].commits.trouble = DiskTrouble(failure, after: commits)
        case .diskStall(let node, _):
            guard world.isRunning(node) else { return false }
            world.stopCommitting(node)
        case .lostRow(let node, let pick): return damage(node, pick, in: world) { $0.lose($1) }
        case .damagedRow(let node, let pick): return damage(node, pick, in: world) { $0.damage($1) }
        case .damagedBlob(let node, let pick):
            guard world.nodes.indices.contains(node),
                let blob = world.nodes[node].disk.blob(pick: pick)
            else {
                return false
            }
            world.nodes[node].disk.spoil(blob, pick: pick >> 32)
        case .backup(let node):
            guard world.nodes.indices.contains(node) else { return false }
            world.nodes[node].backup = world.nodes[node].disk
        case .restore(let node, let inPlace): return restore(node, inPlace: inPlace, in: world)
        case .clone(let node, let inPlace): return world.startClone(of: node, inPlace: inPlace)
        case .wallClock(let node, let milliseconds):
            guard world.nodes.indices.contains(node) else { return false }
            world.nodes[node].clock.wallOffset += milliseconds
        case .clockRate(let node, let rate): return changeClock(node, rate, in: world)
        default: return false
        }
        return true
    }

    /// Ends a fault that began.
    func end(in world: World) {
        switch self {
        case .crash(let node, _, _), .crashAfter(let node, _, _), .restart(let node, _):
            world.start(node)
        case .pause(let node, let sleep, _):
            world.resume(node)
            if sleep, world.isRunning(node) { world.input(.networkChanged, to: node) }
        case .deaf(let node, _): world.resumeReading(node)
        case .cut(let from, let to, let bothWays, _): world.changeCuts(from, to, bothWays, by: -1)
        case .slow(let from, let to, let microseconds, _): world.slow(from, to, by: -microseconds)
        case .disk(let node, _, _, _): world.nodes[node].commits.trouble = nil
        case .diskStall(let node, _): world.resumeCommitting(node)
        default: break
        }
    }

    // MARK: Disks and clocks

    private func damage(
        _ node: Int,
        _ pick: UInt64,
        in world: World,
        _ body: (inout SimulatedDisk, SessionTag) -> Void
    ) -> Bool {
        guard world.nodes.indices.contains(node), let tag = world.nodes[node].disk.tag(pick: pick)
        else { return false }
        let wasRunning = world.nodes[node].isRunning
        world.crash(node)
        body(&world.nodes[node].disk, tag)
        world.note(node, "loses \(world.word(tag)) from its disk")
        if wasRunning { world.start(node) }
        return true
    }

    private func restore(_ node: Int, inPlace: Bool, in world: World) -> Bool {
        guard world.nodes.indices.contains(node), let backup = world.nodes[node].backup else {
            return false
        }
        let wasRunning = world.nodes[node].isRunning
        world.crash(node)
        world.nodes[node].disk = backup
        if !inPlace { world.nodes[node].disk.forgetEpoch() }
        world.note(node, "has its backup restored")
        if wasRunning { world.start(node) }
        return true
    }

    private func changeClock(_ node: Int, _ rate: Int64, in world: World) -> Bool {
        guard world.nodes.indices.contains(node) else { return false }
        world.nodes[node].clock.run(at: rate, from: world.now)
        // The deadline of the timer is at another moment of the world now.
        if world.isRunning(node) { world.give(.timer, to: node) }
        return true
    }
}
