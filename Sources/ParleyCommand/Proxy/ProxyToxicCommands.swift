import ArgumentParser
import ParleyAPI
import ParleyProxy
import ParleyYAML

/// `parley proxy toxic`.
struct ProxyToxicCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toxic",
        abstract: "Add, change or remove a toxic.",
        discussion: """
            The types, with their attributes:

            \(ToxicAttributes.table)
            """,
        subcommands: [
            ProxyToxicAddCommand.self, ProxyToxicUpdateCommand.self, ProxyToxicRemoveCommand.self,
        ],
        aliases: ["t"]
    )
}

/// `parley proxy toxic add`.
struct ProxyToxicAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a toxic to a proxy.",
        discussion: """
              parley proxy toxic add -t latency -a latency=100 -a jitter=20 redis
              parley proxy toxic add -t reset_peer --upstream --toxicity 0.1 redis

            The types and their attributes: parley help proxy toxic
            """,
        aliases: ["a"]
    )
    @Option(name: .shortAndLong, help: "What it does.") var type: String
    @OptionGroup var name: ToxicName
    @OptionGroup var change: ToxicChange
    @Flag(name: .shortAndLong, help: "In what the client sends.") var upstream = false
    @Flag(name: .shortAndLong, help: "In what the server sends (the default).")
    var downstream = false
    @Argument(help: "The proxy.") var proxy: String
    @OptionGroup var options: ProxyClientOptions

    func run() async throws {
        guard let kind = ToxicKind(rawValue: type) else {
            throw Problem.badInput(
                "There is no toxic of the type \(type).",
                hint: NearMiss.hint(for: type, among: ToxicKind.allCases.map(\.rawValue))
            )
        }
        let stream = upstream && downstream ? "both" : upstream ? "upstream" : "downstream"
        var members = [
            (name: "type", json: JSONText.string(type)), ("stream", JSONText.string(stream)),
        ]
        if let name = name.name { members.append(("name", JSONText.string(name))) }
        members += try change.members(for: kind)
        let answer = try await options.client()
            .ask(.post, ["proxies", proxy, "toxics"], JSONText.object(members))
        try ToxicAttributes.show(answer, asJSON: options.json)
    }
}

/// `parley proxy toxic update`.
struct ProxyToxicUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change attributes or the toxicity of a toxic; the rest stays.",
        discussion: """
              parley proxy toxic update -n latency_downstream -a latency=10 redis
            """,
        aliases: ["u"]
    )
    @OptionGroup var name: ToxicName
    @OptionGroup var change: ToxicChange
    @Argument(help: "The proxy.") var proxy: String
    @OptionGroup var options: ProxyClientOptions

    func run() async throws {
        let client = try options.client()
        let path = ["proxies", proxy, "toxics", try name.required()]
        let type = try await client.get(path).text("type")
        let members = try change.members(for: ToxicKind(rawValue: type) ?? .noop)
        let answer = try await client.ask(.patch, path, JSONText.object(members))
        try ToxicAttributes.show(answer, asJSON: options.json)
    }
}

/// `parley proxy toxic remove`.
struct ProxyToxicRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a toxic; what it held back passes in order.",
        aliases: ["r", "delete", "d"]
    )
    @OptionGroup var name: ToxicName
    @Argument(help: "The proxy.") var proxy: String
    @OptionGroup var options: ProxyClientOptions

    func run() async throws {
        let path = ["proxies", proxy, "toxics", try name.required()]
        try await options.client().ask(.delete, path)
    }
}

/// The name of a toxic, which `add` makes up if it is missing.
struct ToxicName: ParsableArguments {
    @Option(
        name: [.short, .long, .customLong("toxicName")],
        help: "The name of the toxic, such as latency_downstream."
    )
    var name: String?

    func required() throws -> String {
        guard let name else {
            throw Problem(
                .usage,
                "Which toxic is meant is missing: --name.",
                hint: "The names of all toxics: parley proxy inspect NAME"
            )
        }
        return name
    }
}

/// The options of a command that sets attributes of a toxic.
struct ToxicChange: ParsableArguments {
    @Option(
        name: [.long, .customLong("tox")],
        help: "The share of connections that have it, 0 to 1."
    )
    var toxicity: Double?
    @Option(
        name: .shortAndLong,
        parsing: .singleValue,
        help: ArgumentHelp("An attribute; may be repeated.", valueName: "name=value")
    )
    var attribute: [String] = []

    func validate() throws {
        if let toxicity, !(0...1).contains(toxicity) {
            throw ValidationError("--toxicity must be 0 to 1.")
        }
    }

    /// The members of a request; a name or a value that the kind does not have is an error.
    func members(for kind: ToxicKind) throws(Problem) -> [(name: String, json: String)] {
        var attributes: [(name: String, json: String)] = []
        for text in attribute {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw .badInput("\(text) is no attribute.", hint: "Write it as name=value.")
            }
            guard let field = kind.fields.first(where: { $0.name == parts[0] }) else {
                throw .badInput(
                    "\(kind.rawValue) has no attribute \(parts[0]).",
                    hint: NearMiss.hint(for: parts[0], among: kind.fields.map(\.name))
                )
            }
            attributes.append((field.name, try ToxicAttributes.json(parts[1], of: field)))
        }
        var members = [(name: "attributes", json: JSONText.object(attributes))]
        if let toxicity { members.append(("toxicity", JSONText.number(toxicity))) }
        return members
    }
}
