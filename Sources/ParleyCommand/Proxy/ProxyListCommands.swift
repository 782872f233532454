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
        abstract: "List the open connections of all proxies, or cut one.",
        discussion: """
              parley proxy connections
              parley proxy connections --cut 17
              parley proxy connections --reset 17
            """
    )
    @Option(help: ArgumentHelp("Close the connection of this number.", valueName: "number"))
    var cut: UInt64?
    @Option(help: ArgumentHelp("Reset the connection of this number.", valueName: "number"))
    var reset: UInt64?
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
        guard case .array(let values) = try await client.get(["connections"]) else { return }
        var table = TextTable(["NUMBER", "PROXY", "CLIENT", "UP", "DOWN", "WAITING"])
        for value in values {
            let up = value["upstream"] ?? .null
            let down = value["downstream"] ?? .null
            table.add([
                value.text("id"), value.text("proxy"), value.text("client"), up.text("sent"),
                down.text("sent"), "\(up.text("waiting")) + \(down.text("waiting"))",
            ])
        }
        values.isEmpty
            ? Output.error.line("There is no open connection.") : Output.standard.table(table)
    }
}
