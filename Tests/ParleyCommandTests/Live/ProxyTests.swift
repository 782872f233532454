import Foundation
import TestSupport
import Testing

/// `parley proxy` as a person and as a client of Toxiproxy use it.
struct ProxyTests {
    @Test func commandsChangeAProxyAndSayTheCure() async throws {
        let proxy = try await ProxyProcess()
        let made = try await proxy.command(
            "create",
            "-l",
            "127.0.0.1:0",
            "-u",
            "127.0.0.1:9",
            "web"
        )
        #expect(made.text.hasPrefix("web: 127.0.0.1:") && made.text.hasSuffix(" to 127.0.0.1:9\n"))
        let toxic = try await proxy.command(
            "toxic",
            "add",
            "-t",
            "latency",
            "-a",
            "latency=100",
            "-a",
            "jitter=5",
            "-u",
            "web"
        )
        #expect(toxic.text == "latency_upstream: latency=100 jitter=5 (upstream, toxicity 1)\n")
        let update = try await proxy.command(
            "toxic",
            "update",
            "-n",
            "latency_upstream",
            "--toxicity",
            "0.5",
            "web"
        )
        #expect(update.text == "latency_upstream: latency=100 jitter=5 (upstream, toxicity 0.5)\n")
        let list = try await proxy.command("list")
        #expect(list.text.contains("127.0.0.1:9  enabled  1\n"))
        #expect(try await proxy.command("toggle", "web").text == "web is disabled\n")
        let inspected = try await proxy.command("inspect", "web")
        #expect(inspected.text.contains(", disabled\n"))
        #expect(inspected.text.contains("latency_upstream  latency  upstream  0.5"))
        let wrong = try await proxy.command("toxic", "add", "-t", "latency", "-a", "jiter=5", "web")
        #expect(wrong.status == 65)
        #expect(wrong.errorText.contains("Did you mean jitter?"))
        #expect(
            try await proxy.command("toxic", "remove", "-n", "latency_upstream", "web").status == 0
        )
        #expect(try await proxy.command("delete", "web").status == 0)
        #expect(try await proxy.command("list", "--json").text == "{}\n")
        #expect(try await proxy.command("connections", "--json").text == "[]\n")
        #expect(await proxy.stop() == 0)
        #expect(try await proxy.command("list").status == 69)
    }

    @Test func aFileHasProxiesWithToxics() async throws {
        let files = try TestDirectory()
        let list = """
            [{"name":"web","listen":"127.0.0.1:0","upstream":"127.0.0.1:9",
            "toxics":[{"type":"timeout","attributes":{"timeout":7}}]}]
            """
        let proxy = try await ProxyProcess([
            "--config", files.write("proxies.json", Data(list.utf8)),
        ])
        #expect(try await proxy.command("inspect", "web").text.contains("timeout=7"))
        let broken = try files.write("broken.json", Data("[{}]".utf8))
        let refused = try await Program.run(["proxy", "run", "--config", broken, "--control", "0"])
        #expect(refused.status == 65)
        #expect(refused.errorText.contains("missing required field: name at proxy 1"))
    }

    /// Regression: toxics, attributes and proxies of a file were left out without a word.
    @Test(arguments: [
        (#"{"name":"a"}"#, "is no list of proxies."),
        (#"[{"name":"a"},{"name":"a"}]"#, "has two proxies with the name a."),
        (#"[{"name":"a","toxicss":[]}]"#, "Did you mean toxics?"),
        (#"[{"name":"a","toxics":[{"type":"latenci"}]}]"#, "Did you mean latency?"),
        (
            #"[{"name":"a","toxics":[{"type":"latency","attributes":{"latncy":5}}]}]"#,
            "Did you mean latency?"
        ),
        (
            #"[{"name":"a","toxics":[{"type":"corrupt","attributes":{"rate":2}}]}]"#,
            "rate is a number, 0 to 1, not 2."
        ),
    ])
    func aFileIsReadStrictly(list: String, message: String) async throws {
        let files = try TestDirectory()
        let path = try files.write("proxies.json", Data(list.utf8))
        let refused = try await Program.run(["proxy", "run", "--config", path, "--control", "0"])
        #expect(refused.status == 65)
        #expect(refused.errorText.contains(message), "\(refused.errorText)")
    }

    @Test func aPlanChangesProxiesAndItsTraceIsReplayed() async throws {
        let files = try TestDirectory()
        let plan = try files.write("plan.yaml", Data(Self.plan.utf8))
        let trace = files.path("trace")
        let proxy = try await ProxyProcess(["--plan", plan, "--trace", trace, "--seed", "5"])
        try await eventually("last step") {
            try await proxy.command("inspect", "web").text.contains("latency=7")
        }
        #expect(await proxy.stop() == 0)
        let lines = String(decoding: try files.contents("trace"), as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.first == #"{"trace":1,"seed":5}"#)
        #expect(lines.count == 11)

        let replay = try Child(
            [Program.url.path, "proxy", "replay", trace, "--control", "127.0.0.1:0"],
            environment: Program.clean,
            output: files.path("output"),
            errors: files.path("errors")
        )
        try await eventually("start") { try !files.contents("errors").isEmpty }
        replay.signal(SIGINT)
        #expect(await replay.end() == 0)
        let output = String(decoding: try files.contents("output"), as: UTF8.self)
        #expect(output == "0 of 0 faults were as recorded, 0 did not happen, 0 came after them\n")
    }

    private static let plan = """
        proxies:
          - {name: web, listen: '127.0.0.1:0', upstream: '127.0.0.1:9'}
        steps:
          - toxic: {proxy: web, type: latency, attributes: {latency: 100}}
          - repeat: {times: 2, steps: [{disable: web}, {pass: 20ms}, {enable: web}]}
          - cut: web
          - remove: {proxy: web, toxic: latency_downstream}
          - at: 50ms
            toxic: {proxy: web, type: latency, name: slow, stream: both, toxicity: 0.5}
          - change: {proxy: web, toxic: slow, type: latency, attributes: {latency: 7}}
        """

    @Test(arguments: [
        ("steps: [{pas: 1s}]", "a step has no pas."),
        ("steps: [{disable: wbe}]", "There is no proxy wbe."),
        ("steps: [{pass: 1}]", "pass is a time"),
        (
            "proxies: [&, &]".replacing("&", with: "{name: a, listen: ':0', upstream: ':1'}"),
            "There are two proxies with the name a."
        ),
        ("steps: [{disable: web, enable: web}]", "A step does one thing."),
        ("steps: [{toxic: {proxy: web, type: latenci}}]", "latenci is no toxic."),
        (
            "steps: [{toxic: {proxy: web, type: latency, attributes: {latency: 1s}}}]",
            "latency is a whole number of ms, at least 0, not 1s."
        ),
    ])
    func aPlanThatIsWrongIsRefusedWithItsLine(plan: String, message: String) async throws {
        let files = try TestDirectory()
        let web = "proxies: [{name: web, listen: ':0', upstream: ':1'}]\n"
        let isWhole = plan.hasPrefix("proxies")
        let path = try files.write("plan.yaml", Data(((isWhole ? "" : web) + plan).utf8))
        let refused = try await Program.run(["proxy", "run", "--plan", path, "--control", "0"])
        #expect(refused.status == 65)
        #expect(refused.errorText.contains("error: \(path):\(isWhole ? 1 : 2): "))
        #expect(refused.errorText.contains(message), "\(refused.errorText)")
    }

    @Test func theExampleOfTheDocumentWorks() async throws {
        let document = try String(
            contentsOf: Self.project.appending(path: "docs/fault-proxy.md"),
            encoding: .utf8
        )
        let block = try #require(document.firstMatch(of: /```sh\n(.*?)```/.dotMatchesNewlines())?.1)
        let proxy = try await ProxyProcess()
        // The ports may be in use here, and a proxy runs already.
        let example = block.replacing("parley proxy --seed 17 &\n", with: "")
            .replacing("8080", with: "$server").replacing("8081", with: "$proxy")
        let files = try TestDirectory()
        let script = """
            set -eu
            cd '\(Self.project.path)'
            free() { python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0))
            print(s.getsockname()[1])'; }
            server=$(free) proxy=$(free)
            trap 'kill $!' EXIT
            \(example)
            """
        let child = try Child(
            ["/bin/bash", try files.write("example.sh", Data(script.utf8))],
            environment: Program.clean.merging(
                [
                    "TOXIPROXY_URL": proxy.control,
                    "PATH": "\(Program.url.deletingLastPathComponent().path):/usr/bin:/bin",
                ],
                uniquingKeysWith: { $1 }
            ),
            output: files.path("output"),
            errors: files.path("errors")
        )
        let status = await child.end()
        let errors = String(decoding: try files.contents("errors"), as: UTF8.self)
        #expect(status == 0, "\(errors)")
        let lines = String(decoding: try files.contents("output"), as: UTF8.self)
            .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("Serving HTTP") }
        try #require(lines.count == 8, "\(lines)")
        #expect(lines[1] == "# Plans")
        #expect(try #require(Double(lines[3])) >= 0.3)
        // The limit counts the head of the answer, too.
        #expect(try (1..<1_000).contains(#require(Int(lines[5]))))
        #expect(lines[6...] == ["web is disabled", "refused"])
    }

    /// The interpreter that has what `Tests/requirements.txt` names.
    static let python = project.appending(path: ".build/python/bin/python3").path

    private static let project = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    @Test func aClientOfToxiproxyDrivesItUnchanged() async throws {
        let proxy = try await ProxyProcess()
        let files = try TestDirectory()
        let script = try files.write("client.py", Data(Self.script.utf8))
        let child = try Child(
            [Self.python, "-W", "ignore", script, proxy.control],
            environment: Program.clean,
            output: files.path("output"),
            errors: files.path("errors")
        )
        let status = await child.end()
        let errors = String(decoding: try files.contents("errors"), as: UTF8.self)
        #expect(status == 0, "\(errors); it needs: Deploy/install-dependencies.sh --test")
        let output = String(decoding: try files.contents("output"), as: UTF8.self)
        #expect(output == "all of it\n")
    }

    /// A server and a client on both sides of a proxy, which the client of Toxiproxy changes.
    private static let script = """
        import socket, sys, threading, time, urllib.parse
        from toxiproxy.exceptions import InvalidToxic, NotFound, ProxyExists
        from toxiproxy.server import Toxiproxy

        control = urllib.parse.urlparse(sys.argv[1])
        server = socket.create_server(("127.0.0.1", 0))

        def echo(connection):
            while data := connection.recv(1000):
                connection.sendall(data)
            connection.close()

        def serve():
            while True:
                threading.Thread(target=echo, args=[server.accept()[0]], daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        toxiproxy = Toxiproxy()
        toxiproxy.update_api_consumer(control.hostname, control.port)
        assert toxiproxy.running() and b"2.12.0" in toxiproxy.version()
        upstream = "127.0.0.1:%d" % server.getsockname()[1]
        proxy = toxiproxy.create(upstream=upstream, name="echo")
        host, port = proxy.listen.split(":")

        def ask():
            start = time.monotonic()
            with socket.create_connection((host, int(port)), timeout=10) as client:
                client.sendall(b"ping")
                return client.recv(4), time.monotonic() - start

        assert ask()[0] == b"ping"
        proxy.add_toxic(type="latency", attributes={"latency": 150})
        proxy.add_toxic(type="latency", stream="upstream", attributes={"latency": 50})
        answer, seconds = ask()
        assert answer == b"ping" and seconds >= 0.2, seconds
        assert sorted(proxy.toxics()) == ["latency_downstream", "latency_upstream"]
        assert proxy.get_toxic("latency_upstream").attributes["latency"] == 50
        proxy.destroy_toxic("latency_downstream")
        for error, act in [
            (ProxyExists, lambda: proxy.add_toxic(type="latency", stream="upstream")),
            (InvalidToxic, lambda: proxy.add_toxic(type="nothing")),
            (NotFound, lambda: proxy.destroy_toxic("latency_downstream")),
        ]:
            try:
                act()
                raise AssertionError(error)
            except error:
                pass
        with proxy.down():
            try:
                ask()
                raise AssertionError("it listens")
            except ConnectionRefusedError:
                pass
        assert ask()[0] == b"ping"
        toxiproxy.reset()
        assert proxy.toxics() == {}
        again = dict(name="echo", upstream=upstream, listen=proxy.listen)
        assert toxiproxy.populate([again]) == []
        toxiproxy.populate([dict(name="other", upstream=upstream, listen="127.0.0.1:0")])
        assert sorted(toxiproxy.proxies()) == ["echo", "other"]
        toxiproxy.destroy_all()
        assert toxiproxy.proxies() == {}
        print("all of it")

        """
}
