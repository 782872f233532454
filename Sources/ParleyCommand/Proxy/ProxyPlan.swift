import ParleyAPI
import ParleyCore
import ParleyProxy
import ParleyYAML

/// A plan for proxies: changes at their times, in the language of the plans for nodes.
struct ProxyPlan {
    private(set) var changes: [ScheduledRequest] = []
    /// The time of the next step, in milliseconds from the first one.
    private var time: Int64 = 0
    /// The steps that were read, with those of repetitions.
    private var taken = 0

    /// The most steps, with those of repetitions.
    private static let stepsMax = 100_000
    /// Milliseconds of a century, and the longest pause.
    private static let timeMax: Int64 = 36_500 * 86_400_000

    /// The names of the proxies that it may change.
    private var names: Set<String>

    /// Reads a plan for its own proxies and those that are `known`; every deviation from the format
    /// is an error.
    init(yaml: String, known: Set<String>) throws(YAMLError) {
        names = known
        guard let root = try YAMLNode.read(yaml) else {
            throw YAMLError(.notYAML, line: 1, "The file is empty.", hint: "Add: steps: […]")
        }
        let fields = try YAMLFields(root, of: "a plan", keys: ["plan", "proxies", "steps"])
        _ = try fields["plan"]?.text("plan")
        for proxy in try fields["proxies"]?.list("proxies") ?? [] { try make(proxy) }
        try take(try fields.required("steps"))
    }

    private mutating func make(_ node: YAMLNode) throws(YAMLError) {
        let fields = try YAMLFields(node, of: "a proxy", keys: ["name", "listen", "upstream"])
        var members: [(name: String, json: String)] = []
        for key in ["name", "listen", "upstream"] {
            members.append((key, JSONText.string(try fields.required(key).text(key))))
        }
        let name = try fields.required("name").text("name")
        guard names.insert(name).inserted else {
            throw YAMLError(
                .repeated,
                line: node.line,
                "There are two proxies with the name \(name).",
                hint: "Each has a name of its own."
            )
        }
        add("POST", "/proxies", JSONText.object(members))
    }

    private mutating func take(_ node: YAMLNode) throws(YAMLError) {
        for step in try node.list("steps") {
            taken += 1
            guard taken <= Self.stepsMax, time <= Self.timeMax else {
                throw YAMLError(
                    .tooLarge,
                    line: step.line,
                    "The plan has too many steps, or takes too long.",
                    hint: "At most \(Self.stepsMax), with those of repetitions, and a century."
                )
            }
            try takeStep(step)
        }
    }

    private static let verbs = ["toxic", "change", "remove", "disable", "enable", "cut"]

    private mutating func takeStep(_ node: YAMLNode) throws(YAMLError) {
        let keys = ["at", "pass", "repeat"] + Self.verbs
        let fields = try YAMLFields(node, of: "a step", keys: keys)
        if let at = fields["at"] {
            time = max(time, try at.duration("at").milliseconds)
        }
        let present = (["pass", "repeat"] + Self.verbs).filter { fields[$0] != nil }
        guard present.count == 1, let verb = present.first, let value = fields[verb] else {
            throw YAMLError(
                .missingKey,
                line: node.line,
                "A step does one thing.",
                hint: "It has one of: \(keys.dropFirst().joined(separator: ", "))"
            )
        }
        switch verb {
        case "pass": time += try value.duration("pass").milliseconds
        case "repeat":
            let inner = try YAMLFields(value, of: "repeat", keys: ["times", "steps"])
            let times = try inner.required("times").number("times", in: 1...10_000)
            for _ in 0..<times { try take(try inner.required("steps")) }
        case "toxic": try addToxic(value)
        case "change": try changeToxic(value)
        case "remove":
            let inner = try YAMLFields(value, of: "remove", keys: ["proxy", "toxic"])
            add("DELETE", try path(inner) + "/" + part(inner, "toxic"))
        case "disable": add("PATCH", try proxy(value), #"{"enabled":false}"#)
        case "enable": add("PATCH", try proxy(value), #"{"enabled":true}"#)
        default: add("DELETE", try proxy(value) + "/connections")
        }
    }

    // MARK: Toxics

    private mutating func addToxic(_ node: YAMLNode) throws(YAMLError) {
        let keys = ["proxy", "type", "name", "stream", "toxicity", "attributes"]
        let fields = try YAMLFields(node, of: "toxic", keys: keys)
        let kind = try fields.required("type").choice("toxic", of: ToxicKind.self)
        var members = [(name: "type", json: JSONText.string(kind.rawValue))]
        for key in ["name", "stream"] {
            guard let text = try fields[key]?.text(key) else { continue }
            members.append((key, JSONText.string(text)))
        }
        members += try rest(fields, kind)
        add("POST", try path(fields), JSONText.object(members))
    }

    private mutating func changeToxic(_ node: YAMLNode) throws(YAMLError) {
        let keys = ["proxy", "toxic", "type", "toxicity", "attributes"]
        let fields = try YAMLFields(node, of: "change", keys: keys)
        let kind = try fields.required("type").choice("toxic", of: ToxicKind.self)
        let path = try path(fields) + "/" + part(fields, "toxic")
        add("PATCH", path, JSONText.object(try rest(fields, kind)))
    }

    /// The toxicity and the attributes.
    private func rest(
        _ fields: YAMLFields,
        _ kind: ToxicKind
    ) throws(YAMLError) -> [(name: String, json: String)] {
        var members: [(name: String, json: String)] = []
        if let node = fields["toxicity"] {
            guard let share = Double(try node.text("toxicity")), (0...1).contains(share) else {
                throw node.wrong("toxicity", "a number from 0 to 1")
            }
            members.append(("toxicity", JSONText.number(share)))
        }
        guard let node = fields["attributes"] else { return members }
        let names = kind.fields.map(\.name)
        let given = try YAMLFields(node, of: kind.rawValue, keys: names)
        var attributes: [(name: String, json: String)] = []
        for field in kind.fields {
            guard let value = given[field.name] else { continue }
            do throws(Problem) {
                let json = try ToxicAttributes.json(try Self.text(value, field.name), of: field)
                attributes.append((field.name, json))
            } catch {
                throw YAMLError(.badValue, line: value.line, error.message, hint: error.hint)
            }
        }
        members.append(("attributes", JSONText.object(attributes)))
        return members
    }

    private static func text(_ node: YAMLNode, _ what: String) throws(Problem) -> String {
        do throws(YAMLError) {
            return try node.text(what)
        } catch {
            throw .badInput(error.message)
        }
    }

    // MARK: Paths

    private func proxy(_ node: YAMLNode) throws(YAMLError) -> String {
        let name = try node.text("a proxy")
        guard names.contains(name) else {
            let near = NearMiss.hint(for: name, among: names.sorted())
            throw YAMLError(
                .unknownName,
                line: node.line,
                "There is no proxy \(name).",
                hint: near.isEmpty ? "Name it among the proxies, or in the file of --config." : near
            )
        }
        return "/proxies/" + PathText.encoded(name)
    }

    private func path(_ fields: YAMLFields) throws(YAMLError) -> String {
        try proxy(try fields.required("proxy")) + "/toxics"
    }

    private func part(_ fields: YAMLFields, _ key: String) throws(YAMLError) -> String {
        PathText.encoded(try fields.required(key).text(key))
    }

    private mutating func add(_ method: String, _ path: String, _ body: String = "") {
        let request = ControlRequest(method, path, body: Array(body.utf8))
        changes.append(ScheduledRequest(milliseconds: time, request: request))
    }
}
