import ArgumentParser
import ParleyProxy

/// `parley proxy list`.
struct ProxyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all proxies.",
        aliases: ["l", "li", "ls"]
    )
    @OptionGroup var options: ProxyClientOptions

    func run() async throws {
        let client = try options.client()
        if options.json { return Output.standard.line(try await client.ask(.get, ["proxies"])) }
        guard case .object(let members) = try await client.get(["proxies"]) else { return }
        guard !members.isEmpty else {
            return Output.error.line(
                "There is no proxy yet: parley proxy create -l 127.0.0.1:0 -u HOST:PORT NAME"
            )
        }
        var table = TextTable(["NAME", "LISTEN", "UPSTREAM", "STATE", "TOXICS"])
        for member in members {
            let proxy = ProxyView(member.value)
            table.add([
                proxy.name, proxy.listen, proxy.upstream, proxy.state, "\(proxy.toxics.count)",
            ])
        }
        Output.standard.table(table)
    }
}

/// `parley proxy inspect`.
struct ProxyInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show one proxy and its toxics.",
        aliases: ["i", "ins"]
    )
    @Argument(help: "The proxy.") var name: String
    @OptionGroup var options: ProxyClientOptions

    func run() async throws {
        let client = try options.client()
        if options.json {
            return Output.standard.line(try await client.ask(.get, ["proxies", name]))
        }
        let proxy = ProxyView(try await client.get(["proxies", name]))
        Output.standard.line("\(proxy.name): \(proxy.listen) to \(proxy.upstream), \(proxy.state)")
        guard !proxy.toxics.isEmpty else { return }
        // Toxiproxy does not count.
        let hits = try? await client.get(["proxies", name, "counters"])["hits"]
        var table = TextTable(["TOXIC", "TYPE", "STREAM", "TOXICITY", "HITS", "ATTRIBUTES"])
        for toxic in proxy.toxics {
            let count = hits?.text(toxic.name) ?? ""
            table.add([
                toxic.name, toxic.type, toxic.stream, toxic.toxicity, count, toxic.attributes,
            ])
        }
        Output.standard.table(table)
    }
}

/// `parley proxy connections`.
struct ProxyConnectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections",
        abstract: "List the open connections of all proxies or of one, or cut one.",
        discussion: """
              parley proxy connections
              parley proxy connections redis
              parley proxy connections --cut 17
              parley proxy connections --reset 17

            The ID is unique; the number counts those of a proxy, and faults follow from it.
            """
    )
    @Option(help: ArgumentHelp("Close the connection with this ID.", valueName: "id"))
    var cut: UInt64?
    @Option(help: ArgumentHelp("Reset the connection with this ID.", valueName: "id"))
    var reset: UInt64?
    @Argument(help: "The proxy (default: all).") var name: String?
    @OptionGroup var options: ProxyClientOptions

    func validate() throws {
        if cut != nil, reset != nil {
            throw ValidationError("--cut and --reset exclude each other.")
        }
    }

    func run() async throws {
        let client = try options.client()
        if let number = cut ?? reset {
            try await client.ask(
                .delete,
                ["connections", "\(number)"],
                query: reset == nil ? "" : "?reset=true"
            )
            return
        }
        if options.json { return Output.standard.line(try await client.ask(.get, ["connections"])) }
        if let name { _ = try await client.get(["proxies", name]) }
        guard case .array(let all) = try await client.get(["connections"]) else { return }
        let values = all.filter { name == nil || $0.text("proxy") == name }
        var table = TextTable([
            "ID", "PROXY", "NUMBER", "CLIENT", "B UP", "B DOWN", "WAIT UP", "WAIT DOWN",
        ])
        for value in values {
            let up = value["upstream"] ?? .null
            let down = value["downstream"] ?? .null
            table.add([
                value.text("id"), TerminalText.safe(value.text("proxy")), value.text("number"),
                value.text("client"), up.text("sent"), down.text("sent"), up.text("waiting"),
                down.text("waiting"),
            ])
        }
        values.isEmpty
            ? Output.error.line("There is no open connection.") : Output.standard.table(table)
    }
}
