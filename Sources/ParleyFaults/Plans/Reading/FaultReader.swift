import ParleyCore
import ParleyYAML

/// Reads the faults that a step injects.
struct FaultReader {
    let plan: Plan
    let state: PlanState

    private var everybody: ClosedRange<Int> { 1...PlanLimits.hosts }

    func faults(_ verb: String, _ node: YAMLNode) throws(YAMLError) -> [PlanFault] {
        switch verb {
        case "isolate", "partition", "cut", "one-way": return [.close(try paths(verb, node))]
        case "mend": return [.open(try pair(verb, node))]
        case "heal":
            if case .text("all") = node.value { return [heal(plan.hostIDs)] }
            return [heal(try plan.hosts(of: node, "heal", count: everybody))]
        case "slow", "loss", "delay", "reorder", "duplicate": return try network(verb, node)
        case "stop": return try each(node, verb) { .stop($0) }
        case "kill": return try each(node, verb) { .kill($0) }
        case "start": return try each(node, verb) { .start($0) }
        case "pause": return try each(node, verb) { .pause($0) }
        case "resume": return try each(node, verb) { .resume($0) }
        case "backup": return try each(node, verb) { .backup($0) }
        case "restore": return try each(node, verb) { .restore($0) }
        case "fill-disk": return try each(node, verb) { .fillDisk($0) }
        case "free-disk": return try each(node, verb) { .freeDisk($0) }
        case "intrude": return try intrusions(node)
        case "program": return [try ProgramReader.change(node, in: plan)]
        case "avahi", "bus": return [try daemon(verb, node)]
        case "clone":
            let fields = try YAMLFields(node, of: verb, keys: ["of", "to"])
            let source = try plan.host(try fields.required("of"))
            return [.clone(of: source, to: try plan.host(try fields.required("to")))]
        default:
            let fields = try YAMLFields(node, of: "clock", keys: ["host", "by"])
            let jump = try fields.required("by").duration("by", isSigned: true)
            return [.clock(try plan.host(try fields.required("host")), by: jump)]
        }
    }

    private func each(
        _ node: YAMLNode,
        _ verb: String,
        _ fault: (HostID) -> PlanFault
    ) throws(YAMLError) -> [PlanFault] {
        try plan.hosts(of: node, verb, count: everybody).map(fault)
    }

    // MARK: The network

    private func paths(_ verb: String, _ node: YAMLNode) throws(YAMLError) -> Set<HostPath> {
        switch verb {
        case "isolate":
            let island = try plan.hosts(of: node, verb, count: everybody)
            return between([island, plan.hostIDs.filter { !island.contains($0) }])
        case "cut": return try pair(verb, node)
        case "partition":
            var parts: [[HostID]] = []
            for part in try node.list("partition") {
                let hosts = try plan.hosts(of: part, "a part", count: everybody)
                if let twice = hosts.first(where: parts.joined().contains) {
                    throw YAMLError(
                        .repeated,
                        line: part.line,
                        "\(plan.name(twice)) is in two parts.",
                        hint: "Every host is in one part at most."
                    )
                }
                parts.append(hosts)
            }
            return between(parts)
        default:
            let fields = try YAMLFields(node, of: verb, keys: ["from", "to"])
            let from = try plan.hosts(of: try fields.required("from"), "from", count: everybody)
            let to = try plan.hosts(of: try fields.required("to"), "to", count: everybody)
            if let both = from.first(where: to.contains) {
                throw YAMLError(
                    .impossible,
                    line: node.line,
                    "\(plan.name(both)) is in from and in to.",
                    hint: "A host reaches itself whatever is cut; remove it on one side."
                )
            }
            var paths: Set<HostPath> = []
            for one in from {
                for other in to { paths.insert(HostPath(from: one, to: other)) }
            }
            return paths
        }
    }

    /// Both paths between the two hosts that a fault names.
    func pair(_ verb: String, _ node: YAMLNode) throws(YAMLError) -> Set<HostPath> {
        between(try plan.hosts(of: node, verb, count: 2...2).map { [$0] })
    }

    /// Opens what steps have closed; hosts that are apart from the beginning stay so.
    private func heal(_ hosts: [HostID]) -> PlanFault {
        let paths = between(plan.hostIDs.map { [$0] }).subtracting(plan.apart)
        return .heal(
            hosts,
            opening: paths.filter { hosts.contains($0.from) || hosts.contains($0.to) }
        )
    }

    /// The paths, in both directions, between hosts of different parts.
    private func between(_ parts: [[HostID]]) -> Set<HostPath> {
        var paths: Set<HostPath> = []
        for (index, part) in parts.enumerated() {
            for (other, rest) in parts.enumerated() where other != index {
                for one in part {
                    for second in rest { paths.insert(HostPath(from: one, to: second)) }
                }
            }
        }
        return paths
    }

    private func network(_ verb: String, _ node: YAMLNode) throws(YAMLError) -> [PlanFault] {
        let keys = ["slow": "rate", "loss": "share", "duplicate": "share", "delay": "by"]
        let value = keys[verb] ?? "up-to"
        let fields = try YAMLFields(node, of: verb, keys: ["host", value])
        let hosts = try plan.hosts(of: try fields.required("host"), "host", count: everybody)
        let number = try fields.required(value)
        switch verb {
        case "slow":
            let rate = try number.bitRate(value)
            return hosts.map { .slow($0, bitsPerSecond: rate) }
        case "loss":
            let share = try number.share(value)
            return hosts.map { .loss($0, per10000: share) }
        case "duplicate":
            let share = try number.share(value)
            return hosts.map { .duplicate($0, per10000: share) }
        case "delay":
            let length = try number.duration(value)
            return hosts.map { .delay($0, by: length) }
        default:
            let length = try number.duration(value)
            return hosts.map { .reorder($0, upTo: length) }
        }
    }

    private func intrusions(_ node: YAMLNode) throws(YAMLError) -> [PlanFault] {
        let fields = try YAMLFields(node, of: "intrude", keys: ["by", "at", "with"])
        let by = try plan.host(try fields.required("by"))
        let at = try plan.hosts(of: try fields.required("at"), "at", count: everybody)
        let manners = try fields.required("with")
        var faults: [PlanFault] = []
        for element in manners.oneOrMore {
            let manner = try element.choice("manner", of: PlanIntrusion.Manner.self)
            for host in at {
                guard host != by else {
                    throw YAMLError(
                        .impossible,
                        line: node.line,
                        "\(plan.name(by)) cannot intrude at its own node.",
                        hint: "Let another host do it: by: HOST"
                    )
                }
                faults.append(.intrude(PlanIntrusion(by: by, at: host, manner: manner)))
            }
        }
        return faults
    }

    private func daemon(_ verb: String, _ node: YAMLNode) throws(YAMLError) -> PlanFault {
        let fields = try YAMLFields(node, of: verb, keys: ["host", "do"])
        let host = try plan.host(try fields.required("host"))
        let act = try fields.required("do").choice("act", of: PlanFault.DaemonAct.self)
        return verb == "avahi" ? .avahi(host, act) : .bus(host, act)
    }
}
