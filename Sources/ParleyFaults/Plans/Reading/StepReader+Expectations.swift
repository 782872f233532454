import ParleyCore
import ParleyYAML

/// Reads the steps that wait until a condition holds.
extension StepReader {
    private static let matters = [
        "shown", "same", "conflict", "no-conflict", "received", "linked", "unlinked", "unbroken",
        "nothing-lost", "stranger", "turned-away", "duplicate",
    ]

    mutating func expect(_ node: YAMLNode) throws(YAMLError) {
        let keys = Self.matters + ["on", "in", "within"]
        let fields = try YAMLFields(node, of: "expect", keys: keys)
        let present = Self.matters.filter { fields[$0] != nil }
        guard present.count == 1, let name = present.first, let value = fields[name] else {
            throw YAMLError(
                present.isEmpty ? .missingKey : .repeated,
                line: node.line,
                present.isEmpty
                    ? "expect does not say what."
                    : "expect says two things: \(present.joined(separator: ", ")).",
                hint: present.isEmpty
                    ? "One of: \(Self.matters.joined(separator: ", "))"
                    : "Write another step for the second."
            )
        }
        var expectation = PlanExpectation(
            matter: try matter(name, value),
            limit: try within(fields),
            conversation: try conversation(name, fields, node.line)
        )
        if let on = fields["on"] {
            let hosts = try plan.hosts(of: on, "on", count: 1...PlanLimits.hosts)
            for host in hosts { try state.needsNode(host, line: on.line) }
            expectation.hosts = hosts
        }
        for host in hosts(of: expectation.matter) { try state.needsNode(host, line: node.line) }
        try add(.expect(expectation), line: node.line)
    }

    /// Links belong to no conversation, so an expectation about links need not name one.
    private func conversation(
        _ name: String,
        _ fields: YAMLFields,
        _ line: Int
    ) throws(YAMLError) -> Int {
        switch name {
        case "linked", "unlinked", "unbroken", "turned-away", "duplicate": 0
        default: try plan.conversation(fields["in"], line: line)
        }
    }

    private func matter(_ name: String, _ node: YAMLNode) throws(YAMLError) -> PlanMatter {
        switch name {
        case "shown": return try shown(node)
        case "same": return try same(node)
        case "conflict":
            let fields = try YAMLFields(node, of: "conflict", keys: ["session", "heads"])
            let heads = try fields["heads"]?.number("heads", in: 2...64) ?? 2
            return .conflict(session: try session(fields), heads: heads)
        case "received":
            let fields = try YAMLFields(node, of: "received", keys: ["by", "at-most"])
            let most = try fields["at-most"]?.number("at-most", in: 0...1_000) ?? 1
            return .received(by: try plan.host(try fields.required("by")), atMost: most)
        case "linked": return .linked(try everyone(node))
        case "unlinked": return .unlinked(try everyone(node))
        case "unbroken": return .unbroken(try everyone(node))
        case "duplicate":
            return .duplicate(try plan.hosts(of: node, "duplicate", count: 1...PlanLimits.hosts))
        case "turned-away":
            return .turnedAway(try plan.hosts(of: node, "turned-away", count: 1...PlanLimits.hosts))
        case "stranger": return .stranger(try plan.host(node))
        default:
            guard try node.yesOrNo(name) else {
                throw YAMLError(.badValue, line: node.line, "\(name) can only be yes.")
            }
            return name == "no-conflict" ? .noConflict : .nothingLost
        }
    }

    private func shown(_ node: YAMLNode) throws(YAMLError) -> PlanMatter {
        let fields = try YAMLFields(node, of: "shown", keys: ["session", "url", "picture"])
        return .shown(
            session: try session(fields),
            url: filled(try fields.required("url").text("url")),
            withPicture: try fields["picture"]?.yesOrNo("picture") ?? false
        )
    }

    private func same(_ node: YAMLNode) throws(YAMLError) -> PlanMatter {
        if case .text("yes") = node.value { return .same(messages: nil) }
        let fields = try YAMLFields(node, of: "same", keys: ["messages"])
        let messages = try fields.required("messages").number("messages", in: 0...100_000)
        return .same(messages: messages)
    }

    /// `all`, for all hosts whose nodes run, or a list of at least two hosts.
    private func everyone(_ node: YAMLNode) throws(YAMLError) -> [HostID] {
        if case .text("all") = node.value {
            guard state.answering.isEmpty else { return state.answering }
            throw YAMLError(
                .impossible,
                line: node.line,
                "No host has a node that runs here.",
                hint: "Start one before, or give a host a node: remove node: no"
            )
        }
        return try plan.hosts(of: node, "it", count: 2...PlanLimits.hosts)
    }

    private func hosts(of matter: PlanMatter) -> [HostID] {
        switch matter {
        case .linked(let hosts), .unlinked(let hosts), .unbroken(let hosts),
            .turnedAway(let hosts), .duplicate(let hosts):
            hosts
        case .received(let host, _), .stranger(let host): [host]
        case .shown, .same, .conflict, .noConflict, .nothingLost: []
        }
    }
}
