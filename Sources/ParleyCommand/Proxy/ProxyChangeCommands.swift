import ArgumentParser
import ParleyProxy

/// `parley proxy create`.
struct ProxyCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a proxy, which listens at one address and leads to another.",
        discussion: """
              parley proxy create -l 127.0.0.1:26379 -u 127.0.0.1:6379 redis

            Port 0 is a free one, which is printed.
            """,
        aliases: ["c", "new"]
    )
    @Option(name: .shortAndLong, help: ArgumentHelp("Where it listens.", valueName: "host:port"))
    var listen: String
    @Option(name: .shortAndLong, help: ArgumentHelp("Where it leads.", valueName: "host:port"))
    var upstream: String
    @Argument(help: "The name.") var name: String
    @OptionGroup var options: ProxyClientOptions

    func validate() throws {
        for (option, text) in [("--listen", listen), ("--upstream", upstream)] {
            do throws(AddressFault) {
                _ = try AddressText(text)
            } catch {
                throw ValidationError("\(option) takes HOST:PORT, and got '\(text)'.")
            }
        }
    }

    func run() async throws {
        let body = JSONText.object([
            ("name", JSONText.string(name)), ("listen", JSONText.string(listen)),
            ("upstream", JSONText.string(upstream)),
        ])
        let answer = try await options.client().ask(.post, ["proxies"], body)
        if options.json { return Output.standard.line(answer) }
        let proxy = ProxyView(try JSONReader.read(Array(answer.utf8)))
        Output.standard.line("\(proxy.name): \(proxy.listen) to \(proxy.upstream)")
    }
}

/// `parley proxy toggle`.
struct ProxyToggleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle",
        abstract: "Disable a proxy, which cuts all its connections, or enable it again.",
        aliases: ["tog"]
    )
    @Argument(help: "The proxy.") var name: String
    @OptionGroup var options: ProxyClientOptions

    func run() async throws {
        let client = try options.client()
        let isEnabled = try await client.get(["proxies", name])["enabled"] == .bool(true)
        let body = JSONText.object([("enabled", isEnabled ? "false" : "true")])
        let answer = try await client.ask(.patch, ["proxies", name], body)
        Output.standard.line(
            options.json
                ? answer : "\(TerminalText.safe(name)) is \(isEnabled ? "disabled" : "enabled")"
        )
    }
}

/// `parley proxy delete`.
struct ProxyDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Remove a proxy, which cuts all its connections.",
        aliases: ["d"]
    )
    @Argument(help: "The proxy.") var name: String
    @OptionGroup var options: ProxyClientOptions

    func run() async throws {
        try await options.client().ask(.delete, ["proxies", name])
    }
}
