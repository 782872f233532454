import ParleyYAML

/// Reads the hosts of a plan and the members of its conversations.
enum HostReader {
    private static let hostKeys = [
        "peers", "discovery", "avahi", "starts", "disk", "node", "programs",
    ]

    static func hosts(_ node: YAMLNode) throws(YAMLError) -> [PlanHost] {
        var hosts: [PlanHost] = []
        switch node.value {
        case .list(let list):
            for element in list { try add(element, named: element, to: &hosts) }
        case .map(let entries):
            for entry in entries {
                let name = YAMLNode(text: entry.key, line: entry.line)
                try add(entry.value, named: name, to: &hosts)
            }
            for (index, entry) in entries.enumerated() {
                hosts[index] = try options(entry, of: hosts[index], among: hosts)
            }
        case .text:
            throw node.wrong("hosts", "a list", hint: "Write: hosts: [ann, ben]")
        }
        guard (1...PlanLimits.hosts).contains(hosts.count) else {
            throw YAMLError(
                .tooLarge,
                line: node.line,
                "There are \(hosts.count) hosts.",
                hint: "A plan has 1 to \(PlanLimits.hosts)."
            )
        }
        return hosts
    }

    private static func add(
        _ node: YAMLNode,
        named name: YAMLNode,
        to hosts: inout [PlanHost]
    ) throws(YAMLError) {
        let host = PlanHost(name: try name.name("a host"))
        guard !hosts.contains(where: { $0.name == host.name }) else {
            throw YAMLError(
                .repeated,
                line: name.line,
                "\(host.name) is there twice.",
                hint: "Give every host a name of its own."
            )
        }
        hosts.append(host)
    }

    private static func options(
        _ entry: YAMLNode.Entry,
        of host: PlanHost,
        among hosts: [PlanHost]
    ) throws(YAMLError) -> PlanHost {
        // A host without options: `ann:` or `ann: {}`.
        if case .text("") = entry.value.value { return host }
        let fields = try YAMLFields(entry.value, of: host.name, keys: hostKeys)
        var host = host
        for element in fields["peers"]?.oneOrMore ?? [] {
            let name = try element.text("a peer")
            guard let index = hosts.firstIndex(where: { $0.name == name }), name != host.name
            else {
                throw YAMLError(
                    .unknownName,
                    line: element.line,
                    "There is no other host \(name.prefix(40)).",
                    hint: NearMiss.hint(for: name, among: hosts.map(\.name))
                )
            }
            host.peers.append(HostID(index))
        }
        host.usesDiscovery = try fields["discovery"]?.yesOrNo("discovery") ?? true
        host.hasAvahi = try fields["avahi"]?.yesOrNo("avahi") ?? true
        if let starts = fields["starts"] {
            guard try starts.text("starts") == "later" else {
                throw YAMLError(
                    .badValue,
                    line: starts.line,
                    "starts can only be later.",
                    hint: "Leave it out for a node that runs from the beginning."
                )
            }
            host.startsAtOnce = false
        }
        host.hasNode = try fields["node"]?.yesOrNo("node") ?? true
        if !host.hasNode { host.startsAtOnce = false }
        host.programs = try ProgramReader.programs(fields["programs"])
        host.diskBytes = try fields["disk"]?.size("disk", in: 1...1 << 30) ?? 0
        if let disk = fields["disk"], host.diskBytes < 4_000_000 {
            throw YAMLError(
                .badValue,
                line: disk.line,
                "A disk of \(host.diskBytes) bytes is too small.",
                hint: "4MB at least."
            )
        }
        return host
    }

    static func conversations(
        _ node: YAMLNode,
        in plan: Plan
    ) throws(YAMLError) -> [PlanConversation] {
        guard case .map(let entries) = node.value else {
            throw node.wrong(
                "conversations",
                "a mapping",
                hint: "Write: conversations: {games: {writers: [\(plan.hosts[0].name)]}}"
            )
        }
        guard (1...PlanLimits.conversations).contains(entries.count) else {
            throw YAMLError(
                .tooLarge,
                line: node.line,
                "There are \(entries.count) conversations.",
                hint: "A plan has 1 to \(PlanLimits.conversations)."
            )
        }
        var conversations: [PlanConversation] = []
        for entry in entries { conversations.append(try conversation(entry, in: plan)) }
        return conversations
    }

    private static func conversation(
        _ entry: YAMLNode.Entry,
        in plan: Plan
    ) throws(YAMLError) -> PlanConversation {
        let name = try YAMLNode(text: entry.key, line: entry.line).name("a conversation")
        let keys = PlanRole.allCases.map(\.plural)
        let fields = try YAMLFields(entry.value, of: name, keys: keys)
        _ = try fields.required(PlanRole.writer.plural)
        var conversation = PlanConversation(name: name, members: [])
        for role in PlanRole.allCases {
            guard let node = fields[role.plural] else { continue }
            for host in try plan.hosts(of: node, role.plural, count: 1...PlanLimits.hosts) {
                guard conversation.role(of: host) == nil else {
                    throw YAMLError(
                        .repeated,
                        line: node.line,
                        "\(plan.name(host)) has two roles in \(name).",
                        hint: "A writer also reads, and a reader also relays."
                    )
                }
                conversation.members.append(.init(host: host, role: role))
            }
        }
        if let member = conversation.members.first(where: { !plan.host($0.host).hasNode }) {
            throw YAMLError(
                .impossible,
                line: entry.line,
                "\(plan.name(member.host)) has no node, so it is in no conversation.",
                hint: "Remove node: no, or take it out of \(name)."
            )
        }
        guard let maker = conversation.members.first?.host, plan.host(maker).startsAtOnce else {
            throw YAMLError(
                .impossible,
                line: entry.line,
                "The first writer of \(name) makes it, and starts later.",
                hint: "Put a writer first whose node runs from the beginning."
            )
        }
        return conversation
    }
}
