import ParleyCore
package import ParleyYAML

extension Plan {
    private static let keys = [
        "plan", "about", "worlds", "hosts", "conversations", "apart", "steps",
    ]

    /// Reads a plan file; every deviation from the format is an error.
    package init(yaml: String) throws(YAMLError) {
        guard yaml.utf8.count <= PlanLimits.fileBytes else {
            throw YAMLError(
                .tooLarge,
                line: 0,
                "The file has \(yaml.utf8.count) bytes.",
                hint: "A plan has \(PlanLimits.fileBytes) at most."
            )
        }
        guard let root = try YAMLNode.read(yaml) else {
            throw YAMLError(
                .notYAML,
                line: 1,
                "The file is empty.",
                hint: "A plan begins with: plan: ONE LINE THAT SAYS WHAT IT SHOWS"
            )
        }
        let fields = try YAMLFields(root, of: "a plan", keys: Self.keys)
        title = try fields.required("plan").text("plan")
        _ = try fields["about"]?.text("about")
        worlds = try Self.worlds(fields["worlds"])
        hosts = try HostReader.hosts(try fields.required("hosts"))
        conversations = []
        apart = []
        steps = []
        // Without a node there is nobody who could converse.
        if fields["conversations"] != nil || hosts.contains(where: \.hasNode) {
            let node = try fields.required("conversations")
            conversations = try HostReader.conversations(node, in: self)
        }
        for pair in try fields["apart"]?.list("apart") ?? [] {
            let pair = try hosts(of: pair, "apart", count: 2...2)
            apart.insert(HostPath(from: pair[0], to: pair[1]))
            apart.insert(HostPath(from: pair[1], to: pair[0]))
        }
        var reader = StepReader(self)
        steps = try reader.steps(try fields.required("steps"))
    }

    private static func worlds(_ node: YAMLNode?) throws(YAMLError) -> Set<PlanWorld> {
        guard let node else { return Set(PlanWorld.allCases) }
        var worlds: Set<PlanWorld> = []
        for element in node.oneOrMore {
            worlds.insert(try element.choice("world", of: PlanWorld.self))
        }
        guard !worlds.isEmpty else {
            throw node.wrong("worlds", "a list of worlds", hint: "Leave it out for both.")
        }
        return worlds
    }

    // MARK: Names

    func host(_ node: YAMLNode) throws(YAMLError) -> HostID {
        let name = try node.text("a host")
        guard let index = hosts.firstIndex(where: { $0.name == name }) else {
            throw YAMLError(
                .unknownName,
                line: node.line,
                "There is no host \(name.prefix(40)).",
                hint: NearMiss.hint(for: name, among: hosts.map(\.name))
            )
        }
        return HostID(index)
    }

    /// A list of distinct hosts, as many as `count` allows.
    func hosts(
        of node: YAMLNode,
        _ what: String,
        count: ClosedRange<Int>
    ) throws(YAMLError) -> [HostID] {
        var found: [HostID] = []
        for element in node.oneOrMore {
            let host = try host(element)
            guard !found.contains(host) else {
                throw YAMLError(
                    .repeated,
                    line: element.line,
                    "\(name(host)) is there twice.",
                    hint: "Remove one of them."
                )
            }
            found.append(host)
        }
        guard count.contains(found.count) else {
            let wanted =
                count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) or more"
            throw YAMLError(
                .badValue,
                line: node.line,
                "\(what) names \(found.count) hosts.",
                hint: "It takes \(wanted): \(hosts.map(\.name).joined(separator: ", "))"
            )
        }
        return found
    }

    /// The named conversation or, without a name, the only conversation of the plan.
    func conversation(_ node: YAMLNode?, line: Int) throws(YAMLError) -> Int {
        let names = conversations.map(\.name)
        guard !names.isEmpty else {
            throw YAMLError(
                .impossible,
                line: line,
                "The plan has no conversation.",
                hint: "Let hosts have nodes, and name them under conversations."
            )
        }
        guard let node else {
            guard names.count == 1 else {
                throw YAMLError(
                    .missingKey,
                    line: line,
                    "It is not said in which conversation.",
                    hint: "Add in: with one of \(names.joined(separator: ", "))"
                )
            }
            return 0
        }
        let name = try node.text("in")
        guard let index = names.firstIndex(of: name) else {
            throw YAMLError(
                .unknownName,
                line: node.line,
                "There is no conversation \(name.prefix(40)).",
                hint: NearMiss.hint(for: name, among: names)
            )
        }
        return index
    }
}
