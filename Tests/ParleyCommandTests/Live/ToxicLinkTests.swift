import Foundation
import ParleyAPI
import TestSupport
import Testing

/// A link of two nodes that passes through the fault proxy, which breaks it in every way it knows.
///
/// `PARLEY_TEST_TOXIC_SECONDS=30` in the environment tries each toxic in both directions, for all
/// and for a tenth of the connections, for so long each: 40 minutes. Otherwise it is a few.
@Suite(.timeLimit(.minutes(60)))
struct ToxicLinkTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let type: String
        let attributes: [String]
        let stream: String
        let toxicity: String

        var testDescription: String { "\(type) \(stream) \(toxicity)" }
    }

    private static let seconds = ProcessInfo.processInfo.environment["PARLEY_TEST_TOXIC_SECONDS"]
        .flatMap { Double($0) }

    private static let attributes: [(type: String, attributes: [String])] = [
        ("corrupt", ["rate=0.0005"]), ("half_open", []), ("limit_data", ["bytes=2000"]),
        ("latency", ["latency=150", "jitter=100"]), ("bandwidth", ["rate=20"]),
        ("slow_close", ["delay=300"]), ("timeout", ["timeout=0"]),
        ("reset_peer", ["timeout=100"]),
        ("slicer", ["average_size=50", "size_variation=30", "delay=200"]),
        ("packet_loss", ["loss_rate=0.05"]), ("noop", []), ("drip", ["size=200", "interval=20"]),
        ("limit_time", ["time=700"]), ("loss", ["loss_rate=0.05"]), ("refuse", []),
        ("slow_accept", ["delay=800"]),
    ]

    private static let cases: [Case] = {
        let all = attributes.flatMap { type, attributes in
            ["--downstream", "--upstream"].flatMap { stream in
                ["1", "0.1"].map {
                    Case(type: type, attributes: attributes, stream: stream, toxicity: $0)
                }
            }
        }
        return seconds == nil ? [all[0], all[6], all[8]] : all
    }()

    /// A link through a proxy, and no other way between both nodes.
    private struct Rig {
        let files: TestDirectory
        let proxy: ProxyProcess
        let alice: NodeProcess
        let bob: NodeProcess

        init() async throws {
            files = try TestDirectory()
            proxy = try await ProxyProcess(["--seed", "5"])
            alice = try await NodeProcess(data: files.path("alice"), name: "alice")
            let made = try await proxy.command(
                "create",
                "-l",
                "127.0.0.1:0",
                "-u",
                try await alice.address,
                "link"
            )
            let listen = made.text.split(separator: " ")[1]
            bob = try await NodeProcess(
                data: files.path("bob"),
                name: "bob",
                peers: [String(listen)]
            )
            _ = try await alice.ask(Conversation.self, "conversation", "create", "games")
            let invite = try await alice.ask(Invite.self, "invite", "games")
            let joined = try await bob.run("join", "-", "--json", input: Data(invite.link.utf8))
            try #require(joined.status == 0, "\(joined.errorText)")
        }

        /// Sends ten messages from each node, each in a session of its own; returns their URLs.
        func send(_ name: String) async throws -> [String] {
            let urls = ["alice", "bob"].map { who in (0..<10).map { "?\(name)-\(who)-\($0)" } }
            for (node, urls) in zip([alice, bob], urls) {
                let lines = urls.map { "{\"url\": \"\($0)\"}" }.joined(separator: "\n")
                let batch = try files.write("\(name).jsonl", Data(lines.utf8))
                let sent = try await node.run("send", "-c", "games", "--batch", batch, "--json")
                #expect(sent.status == 0, "\(sent.errorText)")
            }
            return urls.flatMap(\.self)
        }

        /// Waits until both nodes show these messages, and nothing else.
        func arrived(_ urls: [String]) async throws {
            for node in [alice, bob] {
                try await eventually("all messages at \(node.data)", within: .seconds(90)) {
                    try await node.transcript().compactMap(\.url).sorted() == urls.sorted()
                }
            }
        }
    }

    @Test func noToxicLosesOrInventsAMessage() async throws {
        let rig = try await Rig()
        var urls = try await rig.send("first")
        try await rig.arrived(urls)
        for (number, toxic) in Self.cases.enumerated() {
            let options = toxic.attributes.flatMap { ["-a", $0] } + [toxic.stream]
            let added = try await Program.run(
                ["proxy", "toxic", "add", "-t", toxic.type, "-n", "fault", "--toxicity"]
                    + [toxic.toxicity] + options + ["link"],
                environment: ["TOXIPROXY_URL": rig.proxy.control]
            )
            try #require(added.status == 0, "\(added.errorText)")
            // Connections from before have it as new ones have: some from their begin, some later.
            urls += try await rig.send("case\(number)")
            let end = ContinuousClock.now + .seconds(Self.seconds ?? 1)
            // The fault lasts.
            try await Task.sleep(until: end)
            let removed = try await rig.proxy.command("toxic", "remove", "-n", "fault", "link")
            try #require(removed.status == 0, "\(removed.errorText)")
            let start = ContinuousClock.now
            try await rig.arrived(urls)
            print("toxics: \(toxic): all there \(ContinuousClock.now - start) after its end")
        }
    }

    /// The client is the one for Python, and knows nothing of Parley.
    @Test func aClientOfToxiproxyBreaksALinkAndRedis() async throws {
        let rig = try await Rig()
        var urls = try await rig.send("before")
        try await rig.arrived(urls)
        let redis = try Child(
            [
                "/usr/bin/redis-server", "--port", "0", "--unixsocket", rig.files.path("redis"),
                "--save", "",
            ],
            environment: Program.clean,
            output: rig.files.path("redis.log"),
            errors: rig.files.path("redis.errors")
        )
        // A proxy leads to addresses, and the server has one only once its port is known.
        let port = try await eventually("a port for Redis") {
            let chosen = Int.random(in: 20_000..<30_000)
            let set = try await self.tool(
                ["/usr/bin/redis-cli", "-s", rig.files.path("redis"), "config", "set", "port"]
                    + ["\(chosen)"],
                rig.files
            )
            return set.contains("OK") ? chosen : nil
        }
        let script = try rig.files.write("client.py", Data(Self.script.utf8))
        let python = ProxyTests.python
        func client(_ verb: String) async throws -> String {
            try await tool(
                [python, "-W", "ignore", script, rig.proxy.control, "127.0.0.1:\(port)", verb],
                rig.files
            )
        }
        let listen = try await client("create").trimmingCharacters(in: .newlines)
        let redisPort = try #require(listen.split(separator: ":").last.map(String.init))
        let ping = ["/usr/bin/redis-cli", "-p", redisPort, "ping"]
        #expect(try await tool(ping, rig.files) == "PONG\n")

        #expect(try await client("break") == "broken\n")
        #expect(try await tool(ping, rig.files) != "PONG\n")
        urls += try await rig.send("between")
        let linked = try await rig.bob.transcript().compactMap(\.url)
        #expect(!linked.contains { $0.hasPrefix("?between-alice") })

        #expect(try await client("mend") == "mended\n")
        #expect(try await tool(ping, rig.files) == "PONG\n")
        try await rig.arrived(urls)
        withExtendedLifetime(redis) {}
    }

    /// What a program prints, to either output.
    private func tool(_ words: [String], _ files: TestDirectory) async throws -> String {
        let name = UUID().uuidString
        let child = try Child(
            words,
            environment: Program.clean,
            output: files.path(name),
            errors: files.path("\(name).errors")
        )
        _ = await child.end()
        return String(
            decoding: try files.contents(name) + files.contents("\(name).errors"),
            as: UTF8.self
        )
    }

    private static let script = """
        import sys, urllib.parse
        from toxiproxy.server import Toxiproxy

        control = urllib.parse.urlparse(sys.argv[1])
        toxiproxy = Toxiproxy()
        toxiproxy.update_api_consumer(control.hostname, control.port)
        if sys.argv[3] == "create":
            print(toxiproxy.create(name="redis", upstream=sys.argv[2]).listen)
        elif sys.argv[3] == "break":
            for proxy in toxiproxy.proxies().values():
                proxy.add_toxic(type="reset_peer", attributes={"timeout": 0})
            print("broken")
        else:
            toxiproxy.reset()
            print("mended")

        """
}
