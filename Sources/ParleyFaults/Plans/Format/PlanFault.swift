package import ParleyCore

/// A fault that a plan injects, or the end of one.
package enum PlanFault: Sendable, Equatable {
    /// An action on the avahi-daemon, the bus or a program of a host.
    package enum DaemonAct: String, CaseIterable, Sendable {
        case kill, stop, start, restart
        case hang, resume
    }

    // MARK: The network

    /// These paths drop everything silently.
    case close(Set<HostPath>)
    /// These paths are open again.
    case open(Set<HostPath>)
    /// Nothing from and to these hosts is lost, and these paths are open again.
    case heal([HostID], opening: Set<HostPath>)
    /// The bandwidth to and from a host, in bits per second; 0: no limit.
    case slow(HostID, bitsPerSecond: Int)
    /// The loss to and from a host, in frames of 10,000.
    case loss(HostID, per10000: Int)
    /// A constant extra delay to and from a host.
    case delay(HostID, by: Interval)
    /// A random extra delay, up to this one, to and from a host: the order of arrivals on
    /// different links changes.
    case reorder(HostID, upTo: Interval)
    /// The packets to and from a host that arrive twice, of 10,000.
    case duplicate(HostID, per10000: Int)

    // MARK: Nodes

    case stop(HostID)
    case kill(HostID)
    case start(HostID)
    /// The process is stopped and can be continued.
    case pause(HostID)
    case resume(HostID)

    /// A program of a host, by its index.
    case program(HostID, Int, DaemonAct)

    // MARK: Discovery

    case avahi(HostID, DaemonAct)
    case bus(HostID, DaemonAct)

    // MARK: Strangers and Byzantine writers

    case intrude(PlanIntrusion)

    // MARK: Disks and clocks

    /// The data directory of one host is copied to another host that has none.
    case clone(of: HostID, to: HostID)
    case backup(HostID)
    /// The copy replaces the data directory; the node must not run.
    case restore(HostID)
    case fillDisk(HostID)
    case freeDisk(HostID)
    /// The wall clock jumps.
    case clock(HostID, by: Interval)

    /// The key of the fault in a plan file.
    package var name: String {
        switch self {
        case .close: "cut"
        case .open: "mend"
        case .heal: "heal"
        case .slow: "slow"
        case .loss: "loss"
        case .delay: "delay"
        case .reorder: "reorder"
        case .duplicate: "duplicate"
        case .stop: "stop"
        case .kill: "kill"
        case .start: "start"
        case .pause: "pause"
        case .resume: "resume"
        case .program: "program"
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

    /// Whether the fault acts on single packets: loses, delays, reorders or duplicates them.
    package var isOfPackets: Bool {
        switch self {
        case .loss, .delay, .reorder, .duplicate: true
        default: false
        }
    }

    /// The reason why an environment cannot inject the fault; nil if it can.
    package func obstacle(in world: PlanWorld) -> String? {
        switch (self, world) {
        case (.program, .simulator): "it has nodes and no other programs"
        case (.duplicate, .simulator): "its links are streams, in which TCP leaves nothing twice"
        case (.intrude(let intrusion), .lab) where intrusion.bytes == nil:
            "its nodes are real ones, and none of them is Byzantine"
        default: nil
        }
    }
}

extension Plan {
    /// All faults of its steps.
    package var faults: [PlanFault] {
        steps.compactMap { if case .fault(let fault) = $0.act { fault } else { nil } }
    }

    /// The first fault of each kind that an environment cannot inject, with line and reason.
    package func impossibleFaults(in world: PlanWorld) -> [(line: Int, name: String, why: String)] {
        var found: [(line: Int, name: String, why: String)] = []
        for step in steps {
            let (name, why): (String, String?) =
                switch step.act {
                case .fault(let fault): (fault.name, fault.obstacle(in: world))
                case .run where world == .simulator: ("run", "it has nodes and no other programs")
                default: ("", nil)
                }
            guard let why, !found.contains(where: { $0.name == name }) else { continue }
            found.append((step.line, name, why))
        }
        return found
    }
}
