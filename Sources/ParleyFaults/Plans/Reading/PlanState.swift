import ParleyYAML

/// The nodes that run at a step, as far as the plan determines it.
struct PlanState {
    private let plan: Plan
    private(set) var running: Set<HostID>
    private(set) var paused: Set<HostID> = []
    private(set) var begun: Set<HostID>
    private var copied: Set<HostID> = []
    var messages: Set<String> = []

    init(_ plan: Plan) {
        self.plan = plan
        running = Set(plan.hostIDs.filter { plan.host($0).startsAtOnce })
        begun = running
    }

    /// The hosts whose nodes run and answer requests.
    var answering: [HostID] { running.subtracting(paused).sorted() }

    /// - Throws: `impossibleStep` if the node of a host answers no requests.
    func needsNode(_ host: HostID, line: Int) throws(YAMLError) {
        try hasNode(host, line: line)
        guard running.contains(host) else {
            throw impossible(line, "The node of \(plan.name(host)) does not run here.", "start")
        }
        guard !paused.contains(host) else {
            throw impossible(line, "The node of \(plan.name(host)) stands still here.", "resume")
        }
    }

    private func hasNode(_ host: HostID, line: Int) throws(YAMLError) {
        guard !plan.host(host).hasNode else { return }
        throw YAMLError(
            .impossible,
            line: line,
            "\(plan.name(host)) has no node.",
            hint: "Its programs have a step: program: {host: \(plan.name(host)), name, do}"
        )
    }

    mutating func note(_ fault: PlanFault, line: Int) throws(YAMLError) {
        switch fault {
        case .stop(let host), .pause(let host):
            try needsNode(host, line: line)
            if case .pause = fault { paused.insert(host) } else { running.remove(host) }
        case .kill(let host):
            guard running.contains(host) else { return try needsNode(host, line: line) }
            running.remove(host)
            paused.remove(host)
        case .start(let host):
            try hasNode(host, line: line)
            guard !running.contains(host) else {
                throw impossible(line, "The node of \(plan.name(host)) runs already.", "stop")
            }
            running.insert(host)
            begun.insert(host)
        case .resume(let host):
            guard paused.remove(host) != nil else {
                throw impossible(
                    line,
                    "The node of \(plan.name(host)) does not stand still.",
                    "pause"
                )
            }
        case .clone(let source, let target): try noteClone(source, target, line)
        case .backup(let host):
            guard begun.contains(host) else { return try needsNode(host, line: line) }
            copied.insert(host)
        case .restore(let host): try noteRestore(host, line)
        case .fillDisk(let host), .freeDisk(let host):
            guard plan.host(host).diskBytes > 0 else {
                throw YAMLError(
                    .impossible,
                    line: line,
                    "\(plan.name(host)) has no disk of its own.",
                    hint: "Write among the hosts: \(plan.name(host)): {disk: 8MB}"
                )
            }
        case .intrude(let intrusion): try needsNode(intrusion.at, line: line)
        case .close, .open, .heal, .slow, .loss, .delay, .reorder, .duplicate, .program, .avahi,
            .bus, .clock:
            break
        }
    }

    private mutating func noteClone(
        _ source: HostID,
        _ target: HostID,
        _ line: Int
    ) throws(YAMLError) {
        guard begun.contains(source) else { return try needsNode(source, line: line) }
        try hasNode(target, line: line)
        guard !begun.contains(target) else {
            throw YAMLError(
                .impossible,
                line: line,
                "\(plan.name(target)) has a data directory.",
                hint: "Write among the hosts: \(plan.name(target)): {starts: later}"
            )
        }
        begun.insert(target)
    }

    private func noteRestore(_ host: HostID, _ line: Int) throws(YAMLError) {
        guard copied.contains(host) else {
            throw impossible(line, "There is no copy of \(plan.name(host))'s data.", "backup")
        }
        guard !running.contains(host) else {
            throw impossible(line, "The node of \(plan.name(host)) runs here.", "stop")
        }
    }

    private func impossible(_ line: Int, _ what: String, _ verb: String) -> YAMLError {
        YAMLError(.impossible, line: line, what, hint: "Put a step before it: \(verb)")
    }
}
