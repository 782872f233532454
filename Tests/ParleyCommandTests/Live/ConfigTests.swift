import Foundation
import Glibc
import ParleyAPI
import TestSupport
import Testing

/// The configuration of a node: a file, the environment and options.
@Suite(.timeLimit(.minutes(5)))
struct ConfigTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int?
        /// Words of the message and the hint.
        let words: [String]

        init(_ text: String, line: Int? = 1, _ words: String...) {
            self.text = text
            self.line = line
            self.words = words
        }

        var testDescription: String { String(text.prefix(60)) }
    }

    private let files: TestDirectory

    init() throws { files = try TestDirectory() }

    private func file(_ text: String) throws -> String {
        try files.write("parley.yaml", Data(text.utf8))
    }

    @Test(arguments: [
        Bad("nam: kitchen", "nam", "Did you mean name?"),
        Bad("name: kitchen\nlimits:\n  linkz: 3", line: 3, "linkz", "Did you mean links?"),
        Bad("limits: 3", "limits", "a mapping"),
        Bad("- name", "a mapping"),
        Bad("limits: {links: many}", "limits.links", "a whole number"),
        Bad("limits: {links: 1}", "limits.links", "2 to 64"),
        Bad("limits: {links: [1, 2]}", "limits.links", "a list"),
        Bad("limits: {cache: 24}", "limits.cache", "64KiB"),
        Bad("quotas: {conversation: {bytes: 1KB}}", "quotas.conversation.bytes", "1048576B"),
        Bad("relay: perhaps", "relay", "yes or no"),
        Bad("listen: [nowhere]", "listen", "nowhere"),
        Bad("listen: [\"127.0.0.1:0\", \"1.2.3.4:99999\"]", "listen", "99999"),
        Bad("peers: [\"kitchen:0\"]", "peers", "port"),
        Bad("name: ''", "name", "a text"),
        Bad("web: 127.0.0.1:x", "web", "HOST:PORT"),
        Bad("headless: [chess]", "headless", "There is no app called chess"),
        Bad("log: {level: loud}", "loud", "log.level"),
        Bad("relay: yes\nweb: '8275'", line: 2, "A relay serves no page"),
        Bad("relay: yes\nheadless: [tictactoe]", line: 2, "A relay runs no apps"),
        Bad("quotas: {device: {sessions: 1000000}}", "quotas.device.sessions", "more than"),
        Bad("quotas: {conversation: {writers: 9}}", "quotas.device.writers", "more than"),
        Bad("name: a\nname: b", line: 2, "name", "twice"),
        Bad("name: &a b", "Anchors"),
        Bad("name: [", line: 2, "not YAML"),
        Bad("\u{FEFF}name: \u{0}", line: nil, "YAML"),
        // Regression: a path ended there, so that another directory was used.
        Bad("relay: yes\ndata: \"/tmp/parley\\0.old\"", line: 2, "data", "NUL"),
        Bad("log:\n  level: info\npeers: [a, \"b\\u0000\"]", line: 3, "peers", "NUL"),
    ])
    func aBadFileNamesLineKeyAndCure(bad: Bad) async throws {
        let path = try file(bad.text)
        let checked = try await Program.run(["config", "check", path, "--json"])
        #expect(checked.status == 65)
        let problem = try checked.problem()
        #expect(problem.kind == .badSetting)
        #expect(problem.file == path)
        if bad.line != nil { #expect(problem.line == bad.line) }
        for word in bad.words {
            #expect((problem.message + " " + problem.hint).contains(word), "\(problem)")
        }
        let started = try await Program.run(
            ["node", "--config", path, "--data", files.path("data")]
        )
        #expect(started.status == 65)
        #expect(!FileManager.default.fileExists(atPath: files.path("data")), "nothing was opened")
    }

    @Test func aCheckOpensNothingButTheFile() async throws {
        let path = try file("data: \(files.path("data"))\nname: kitchen\nlimits:\n  # links: 9\n")
        let checked = try await Program.run(["config", "check", path])
        #expect(checked.status == 0, "\(checked.errorText)")
        #expect(checked.text.contains("can be used"))
        #expect(!FileManager.default.fileExists(atPath: files.path("data")))
        #expect(try await Program.run(["config", "check", try file("")]).status == 0)
        #expect(try await Program.run(["config", "check", "/nowhere.yaml"]).status == 65)
        #expect(try await Program.run(["config", "check", "/etc"]).status == 65)
        #expect(try await Program.run(["config", "check", "/dev/null"]).status == 0)
    }

    /// Regression: a reload waited for the other end of a named pipe, and could not be ended.
    @Test func aPipeIsNoConfiguration() async throws {
        let path = files.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let checked = try await Program.run(["config", "check", path])
        #expect(checked.status == 65 && checked.errorText.contains("not a regular file"))
    }

    private static let example = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Deploy/parley.yaml").standardizedFileURL

    /// The file that the documents name has every key, and each with a value that can be used.
    @Test func theExampleHasEveryKey() async throws {
        let example = try String(contentsOf: Self.example, encoding: .utf8)
        #expect(try await Program.run(["config", "check", Self.example.path]).status == 0)
        let used = example.replacing(/(?m)^( *)# ([a-z-]+: )/) { "\($0.1)\($0.2)" }
        let path = try file(used)
        let shown = try await Program.run(["config", "show", path, "--json"])
        #expect(shown.status == 0, "\(shown.errorText)")
        let rows = try shown.document([Row].self)
        #expect(rows.filter { $0.origin != path }.map(\.key) == [])
        let plain = try await Program.run(["config", "show", "--json"]).document([Row].self)
        for (row, standard) in zip(rows, plain) where standard.value != nil {
            #expect(row.value == standard.value, "\(row.key)")
        }
    }

    struct Row: Decodable {
        let key: String
        let value: String?
        let origin: String
        let line: Int?
        let variable: String
    }

    @Test(arguments: ["no", "false", "off"])
    func allWordsForNoAreTaken(word: String) async throws {
        let path = try file("discovery: \(word)\nweb: \(word)\nrelay: yes\n")
        let rows = try await Program.run(["config", "show", path, "--json"]).document([Row].self)
        #expect(rows.first { $0.key == "discovery" }?.value == "no")
        let on = try file("discovery: on\n")
        #expect(try await Program.run(["config", "check", on]).status == 0)
    }

    @Test func optionsPrecedeVariablesAndThoseTheFile() async throws {
        let path = try file("name: file\nlimits:\n  links: 9\n  dials: 3\n")
        let environment = [
            "PARLEY_CONFIG": path, "PARLEY_LIMITS_LINKS": "11", "PARLEY_PEERS": "a:1,b:2",
            "PARLEY_NAME": "", "PARLEY_TEST_ANYTHING": "x",
        ]
        let shown = try await Program.run(["config", "show", "--json"], environment: environment)
        let rows = try shown.document([Row].self)
        func row(_ key: String) throws -> Row { try #require(rows.first { $0.key == key }) }
        #expect(try row("name").value == "file" && row("name").origin == path)
        #expect(try row("limits.dials").line == 4)
        #expect(try row("limits.links").value == "11")
        #expect(try row("limits.links").origin == "PARLEY_LIMITS_LINKS")
        #expect(try row("peers").value == "[a:1, b:2]")
        #expect(try row("limits.cache").value == "24MiB" && row("limits.cache").origin == "default")
        #expect(Set(rows.map(\.variable)).count == rows.count)
        let node = try await NodeProcess(
            data: files.path("node"),
            name: "option",
            environment: ["PARLEY_CONFIG": path, "PARLEY_NAME": "variable"]
        )
        #expect(await node.ready?.name == "option")
        await node.end()
    }

    @Test func aVariableThatMeansNothingIsRefused() async throws {
        let refused = try await Program.run(["status"], environment: ["PARLEY_LISTN": "x"])
        #expect(refused.status == 64)
        #expect(refused.errorText.contains("PARLEY_LISTN"))
        #expect(refused.errorText.contains("Did you mean PARLEY_LISTEN?"))
        let far = try await Program.run(["status"], environment: ["PARLEY_FOO": "x"])
        #expect(far.errorText.contains("Known: PARLEY_DATA, "), "the beginning is no likeness")
        let wrong = try await Program.run(
            ["node", "--data", files.path("data")],
            environment: ["PARLEY_LIMITS_LINKS": "many"]
        )
        #expect(wrong.status == 65)
        #expect(wrong.errorText.contains("PARLEY_LIMITS_LINKS is a whole number"))
    }

    @Test func theLogHasObjectsIfItIsToldTo() async throws {
        let node = try await NodeProcess(
            data: files.path("node"),
            environment: [
                "PARLEY_LOG_FORMAT": "json", "PARLEY_LOG_LEVELS_DISCOVERY": "debug",
                "PARLEY_METRICS": "0.0.0.0:0",
            ]
        )
        await node.end()
        let lines = try await node.log.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["message"] is String && object?["level"] is String)
        }
        let started = try #require(lines.first { $0.contains("started: ") })
        for word in ["0.1.0", "named", "256 conversations, 64 links and 64GiB", "64MiB free"] {
            #expect(started.contains(word))
        }
        #expect(lines.contains { $0.contains("stopping: SIGTERM") })
        #expect(lines.contains { $0.contains("0.0.0.0:0 can be read from the network") })
    }
}
