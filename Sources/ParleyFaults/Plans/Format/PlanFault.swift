package import ParleyCore

/// Something that goes wrong, or ends to.
package enum PlanFault: Sendable, Equatable {
    /// What is done to avahi-daemon or to the bus of a host.
    package enum DaemonAct: String, CaseIterable, Sendable {
        case kill, stop, start, restart
        case hang, resume
    }

    // MARK: The network

    /// Nothing passes on these paths any more, and nobody is told.
    case close(Set<HostPath>)
    /// All paths from and to these hosts are open, and nothing is lost there.
    case heal([HostID])
    /// Bits per second, to and from a host; 0: no limit.
    case slow(HostID, bitsPerSecond: Int)
    /// Of 10,000 frames to and from a host, so many are lost.
    case loss(HostID, per10000: Int)
    /// Everything to and from a host takes longer, by the same time.
    case delay(HostID, by: Interval)
    /// Everything to and from a host takes longer, by any time up to this: what comes on different
    /// links comes in any order.
    case reorder(HostID, upTo: Interval)

    // MARK: Nodes

    case stop(HostID)
    case kill(HostID)
    case start(HostID)
    /// The process stands still.
    case pause(HostID)
    case resume(HostID)

    // MARK: Discovery

    case avahi(HostID, DaemonAct)
    case bus(HostID, DaemonAct)

    // MARK: Strangers and liars

    case intrude(PlanIntrusion)

    // MARK: Disks and clocks

    /// The data directory of one host is copied to another, which has none.
    case clone(of: HostID, to: HostID)
    case backup(HostID)
    /// The copy takes the place of the data directory; the node must not run.
    case restore(HostID)
    case fillDisk(HostID)
    case freeDisk(HostID)
    /// The wall clock jumps.
    case clock(HostID, by: Interval)

    /// The key under which a plan has it.
    package var name: String {
        switch self {
        case .close: "cut"
        case .heal: "heal"
        case .slow: "slow"
        case .loss: "loss"
        case .delay: "delay"
        case .reorder: "reorder"
        case .stop: "stop"
        case .kill: "kill"
        case .start: "start"
        case .pause: "pause"
        case .resume: "resume"
        case .avahi: "avahi"
        case .bus: "bus"
        case .intrude(let intrusion): "intrude with \(intrusion.manner.rawValue)"
        case .clone: "clone"
        case .backup: "backup"
        case .restore: "restore"
        case .fillDisk: "fill-disk"
        case .freeDisk: "free-disk"
        case .clock: "clock"
        }
    }

    /// Why a world cannot make it, nil if it can.
    package func obstacle(in world: PlanWorld) -> String? {
        switch (self, world) {
        case (.delay, .lab): "the kernel has no queue that delays frames (netem)"
        case (.reorder, .lab): "the kernel has no queue that reorders frames (netem)"
        case (.clock, .lab): "processes cannot be given wall clocks of their own"
        case (.intrude(let intrusion), .lab) where intrusion.bytes == nil:
            "its nodes are real ones, and none of them lies"
        default: nil
        }
    }
}

extension Plan {
    /// The faults that a world cannot make, one of each kind: where they stand, and why not.
    package func impossibleFaults(in world: PlanWorld) -> [(line: Int, name: String, why: String)] {
        var found: [(line: Int, name: String, why: String)] = []
        for step in steps {
            guard case .fault(let fault) = step.act, let why = fault.obstacle(in: world),
                !found.contains(where: { $0.name == fault.name })
            else { continue }
            found.append((step.line, fault.name, why))
        }
        return found
    }
}
