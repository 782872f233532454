import ParleyCore
import ParleyYAML

/// Reads programs and commands, which only the lab can run.
enum ProgramReader {
    static func programs(_ node: YAMLNode?) throws(YAMLError) -> [PlanProgram] {
        guard let node else { return [] }
        guard case .map(let entries) = node.value else {
            throw node.wrong(
                "programs",
                "a mapping",
                hint: "Write: programs: {web: {run: 'python3 -m http.server', ready: {port: 8000}}}"
            )
        }
        guard entries.count <= PlanLimits.programs else {
            throw YAMLError(
                .tooLarge,
                line: node.line,
                "There are \(entries.count) programs.",
                hint: "A host has \(PlanLimits.programs) at most."
            )
        }
        var programs: [PlanProgram] = []
        for entry in entries {
            let name = try YAMLNode(text: entry.key, line: entry.line).name("a program")
            let fields = try YAMLFields(entry.value, of: name, keys: ["run", "ready"])
            programs.append(
                PlanProgram(
                    name: name,
                    command: try fields.required("run").text("run"),
                    readiness: try readiness(fields["ready"])
                )
            )
        }
        return programs
    }

    private static func readiness(
        _ node: YAMLNode?
    ) throws(YAMLError) -> PlanProgram.Readiness? {
        guard let node else { return nil }
        let fields = try YAMLFields(node, of: "ready", keys: ["port", "path", "log"])
        if let log = fields["log"] {
            guard fields["port"] == nil, fields["path"] == nil else {
                throw YAMLError(
                    .repeated,
                    line: node.line,
                    "ready says two things.",
                    hint: "Keep log, or port with path."
                )
            }
            return .log(try log.text("log"))
        }
        let port = try fields.required("port").number("port", in: 1...65_535)
        guard let path = try fields["path"]?.text("path") else { return .port(port) }
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw YAMLError(
                .badValue,
                line: node.line,
                "\(path.prefix(40)) is no path of a URL.",
                hint: "Write: path: /"
            )
        }
        return .http(port: port, path: path)
    }

    static func command(_ node: YAMLNode, in plan: Plan) throws(YAMLError) -> PlanCommand {
        let keys = ["on", "command", "exits", "prints", "within"]
        let fields = try YAMLFields(node, of: "run", keys: keys)
        return PlanCommand(
            host: try plan.host(try fields.required("on")),
            command: try fields.required("command").text("command"),
            exitCode: Int32(try fields["exits"]?.number("exits", in: 0...255) ?? 0),
            prints: try fields["prints"]?.text("prints"),
            limit: try fields["within"]?.duration("within")
        )
    }

    /// A change of a program, which its host must have.
    static func change(_ node: YAMLNode, in plan: Plan) throws(YAMLError) -> PlanFault {
        let fields = try YAMLFields(node, of: "program", keys: ["host", "name", "do"])
        let host = try plan.host(try fields.required("host"))
        let named = try fields.required("name")
        let name = try named.text("name")
        let programs = plan.host(host).programs.map(\.name)
        guard let index = programs.firstIndex(of: name) else {
            throw YAMLError(
                .unknownName,
                line: named.line,
                "\(plan.name(host)) has no program \(name.prefix(40)).",
                hint: NearMiss.hint(for: name, among: programs)
            )
        }
        let act = try fields.required("do").choice("act", of: PlanFault.DaemonAct.self)
        return .program(host, index, act)
    }
}
