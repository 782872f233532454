import Foundation
import ParleyAPI
import TestSupport
import Testing

/// Every wrong input has its documented exit code and a message with a remedy.
@Suite(.timeLimit(.minutes(5)))
struct BadInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        let kind: Problem.Kind

        init(_ arguments: [String], _ status: Int32, _ kind: Problem.Kind) {
            self.arguments = arguments
            self.status = status
            self.kind = kind
        }

        var testDescription: String {
            arguments.map { String($0.prefix(40)) }.joined(separator: " ")
        }
    }

    private static let unknownSession = "3C484B13-65A3-41F6-97E3-231E60669861"

    /// The cases for a node that is in the conversation `games`.
    private static let cases = [
        Case(
            ["send", "-c", "games", "--url", String(repeating: "x", count: 5_001)],
            65,
            .tooLarge
        ),
        Case(["send", "-c", "games", "--image", "missing.png"], 65, .noFile),
        Case(["send", "-c", "games", "--image", "/tmp"], 65, .noFile),
        Case(["send", "-c", "games", "--image", "/dev/null"], 65, .notAnImage),
        Case(["send", "-c", "games", "--image", "/proc/self/exe"], 65, .tooLarge),
        Case(["send", "-c", "games", "--image", "/etc/passwd"], 65, .notAnImage),
        Case(["send", "-c", "games", "--batch", "missing.jsonl"], 65, .noFile),
        Case(["send", "-c", "nope", "--url", "?"], 65, .unknownConversation),
        Case(["send", "-c", "games", "--url", "?", "--session", "x"], 65, .badInput),
        Case(["send", "-c", "games", "--url", "?", "--next", "x"], 65, .badInput),
        Case(["send", "-c", "games", "--url", "?", "--replacing", "x"], 65, .badInput),
        Case(["send", "-c", "games", "--url", "?", "--wait", "soon"], 65, .badInput),
        Case(["send", "-c", "games", "--url", "?", "--wait", "delivered=0"], 65, .badInput),
        Case(
            ["send", "-c", "games", "--url", "?", "--wait", "delivered=1", "--timeout", "0.2"],
            75,
            .notYetDelivered
        ),
        Case(["transcript", "-c", "nope"], 65, .unknownConversation),
        Case(["transcript", "-c", "nope", "--follow"], 65, .unknownConversation),
        Case(["show", unknownSession], 65, .unknownSession),
        Case(["show", "../status"], 65, .badInput),
        Case(["history", unknownSession], 65, .unknownSession),
        Case(["invite", "nope"], 65, .unknownConversation),
        Case(["conversation", "leave", "nope"], 65, .unknownConversation),
        Case(["conversation", "create", "games"], 73, .nameTaken),
        Case(["conversation", "create", ""], 65, .badName),
        Case(["conversation", "create", "."], 65, .badName),
        Case(["conversation", "create", " .. "], 65, .badName),
        Case(["conversation", "create", "\u{3000}\u{200b}"], 65, .badName),
        Case(["conversation", "create", "GAMES\u{202e}"], 65, .badName),
        Case(["conversation", "create", " games "], 73, .nameTaken),
        Case(["join", "open:.."], 65, .badName),
        Case(["conversation", "create", String(repeating: "n", count: 65)], 65, .badName),
        Case(["join", "parley:AQMNOltK117CUkklv6myhqkKRd5S"], 65, .badInvite),
        Case(["join", "https://example.org"], 65, .badInvite),
        Case(["join", "-"], 65, .badInvite),
        Case(["join", "open:lobby", "--as", "games"], 73, .nameTaken),
        Case(["join", "open:hall"], 73, .alreadyJoined),
        Case(["send", "-c", "games"], 65, .badDraft),
        Case(["send", "-c", "games", "--caption", ""], 65, .badDraft),
        Case(["send", "-c", "games", "--caption", "\u{3000}", "--summary", ""], 65, .badDraft),
        Case(["send", "-c", "games", "--url", "-", "--batch", "-"], 64, .usage),
        Case(["send", "-c", "games", "--url", ""], 65, .badDraft),
        Case(["send", "-c", "games", "--url", "", "--caption", "c"], 65, .badDraft),
        Case(["invite", "games", "--role", "boss"], 64, .usage),
        Case(["invite", "games", "--for", "10s"], 64, .usage),
        Case(["invite", "list", "--uses", "3"], 64, .usage),
        Case(["invite", "revoke"], 64, .usage),
        Case(["invite", "revoke", "9"], 65, .unknownInvite),
        Case(["frobnicate"], 64, .usage),
        Case(["transcript"], 64, .usage),
        Case(["transcript", "-c", "games", "--limit", "0"], 64, .usage),
        Case(["transcript", "-c", "games", "--limit", "5", "--all"], 64, .usage),
        Case(["transcript", "-c", "games", "--limit", "201", "--follow"], 64, .usage),
        Case(["node", "--web", "1", "--no-web"], 64, .usage),
        Case(["node", "--qr", "--no-web"], 64, .usage),
        Case(["node", "--qr", "--relay"], 64, .usage),
        Case(["node", "--headless", "nobody"], 64, .usage),
        Case(["node", "--headless", "bot"], 64, .usage),
        Case(["node", "--headless", "parley.tictactoe.bot", "--relay"], 64, .usage),
        Case(["node", "--web", "somewhere"], 64, .usage),
        Case(["node", "--web", "a b:80"], 64, .usage),
        Case(["node", "--listen", "nowhere"], 64, .usage),
        Case(["node", "--listen", "localhost:0"], 64, .usage),
        Case(["node", "--peer", "nowhere"], 64, .usage),
        Case(["node", "--peer", "::1:1"], 64, .usage),
        Case(["node", "--peer", "192.0.2.1:0"], 64, .usage),
        Case(["node", "--name", "  "], 64, .usage),
        Case(["node", "--name", ""], 64, .usage),
        Case(["node", "--name", "a\nb"], 64, .usage),
        Case(["node", "--name", "\u{1B}[31mred"], 64, .usage),
        Case(["node", "--interface", ""], 64, .usage),
        Case(["node", "--relay", "--web", "1"], 64, .usage),
        Case(["node", "--listen", "127.0.0.1:0", "--no-discovery"], 73, .dataDirectoryInUse),
    ]

    /// The fault of the directory is said, and no advice ruins the machine.
    @Test(arguments: [
        (["status", "--data", "/etc/passwd"], Int32(69), "is not a directory"),
        (["status", "--data", ""], 64, "--data takes a directory"),
        (["node", "--data", "/etc"], 73, "no data directory of Parley"),
        (["demo", "--once", "--data", "/etc/passwd"], 73, "cannot be made a directory"),
        (["simulate", "--trace", "/nonexistent/x"], 74, "No such file or directory"),
        (["simulate", "--soak", "/nonexistent/x"], 74, "No such file or directory"),
        (["simulate", "--soak", "/etc"], 74, "cannot be read"),
    ])
    func aPlaceThatCannotBeUsedIsNamed(
        arguments: [String],
        status: Int32,
        words: String
    ) async throws {
        let finished = try await Program.run(arguments)
        #expect(finished.status == status)
        #expect(finished.errorText.contains(words), "\(finished.errorText)")
        for told in ["chmod", "Error Domain", "report it"] {
            #expect(!finished.errorText.contains(told), "\(finished.errorText)")
        }
    }

    @Test func everyMistakeHasItsExitCodeAndItsName() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        _ = try await node.ask(Conversation.self, "join", "open:hall")
        for example in Self.cases {
            let finished = try await Program.run(
                example.arguments + ["--json", "--data", node.data]
            )
            #expect(finished.status == example.status, "\(example.testDescription)")
            let problem = try? finished.problem()
            #expect(
                problem?.kind == example.kind,
                "\(example.testDescription): \(finished.errorText)"
            )
            #expect(problem?.message.isEmpty == false)
            #expect(finished.output.isEmpty, "\(example.testDescription)")
        }
        await node.end()
    }

    @Test func withoutNodeEveryCommandSaysHowToStartOne() async throws {
        let directory = try TestDirectory()
        let commands = [
            ["status"], ["page"], ["peers"], ["nearby"], ["conflicts"], ["conversation", "list"],
            ["send", "-c", "games", "--url", "?"], ["transcript", "-c", "games"],
            ["join", "open:lobby"],
        ]
        for command in commands {
            let data = ["--data", directory.path("none")]
            let finished = try await Program.run(command + data)
            #expect(finished.status == 69)
            #expect(finished.errorText.contains("No node is running in"))
            #expect(
                finished.errorText.contains(
                    "start one with: parley node --data \(directory.path("none"))\n"
                )
            )
            #expect(try await Program.run(command + data + ["--json"]).problem().kind == .noNode)
        }
    }

    /// Regression: the hint proposed `--data` to people who had set `PARLEY_DATA`.
    @Test func whereNoNodeRunsTheHintKnowsWhoChoseTheDirectory() async throws {
        let directory = try TestDirectory()
        let none = directory.path("none")
        let chosen = try await Program.run(["status"], environment: ["PARLEY_DATA": none])
        #expect(chosen.status == 69)
        #expect(!chosen.errorText.contains("--data"))
        #expect(
            chosen.errorText.contains(
                "PARLEY_DATA names \(none); start a node there with: parley node\n"
            )
        )
        // The command line takes precedence, also in the command of the hint.
        let both = try await Program.run(
            ["status", "--data", none],
            environment: ["PARLEY_DATA": directory.path("other")]
        )
        #expect(both.errorText.contains("start one with: parley node --data \(none)\n"))
        #expect(!both.errorText.contains("PARLEY_DATA"))

        let usual = try await Program.run(["status"], environment: ["XDG_STATE_HOME": none])
        #expect(usual.errorText.contains("add --data DIR"))
    }

    /// Regression: the error did not say where the UUIDs of sessions are.
    @Test func aWrongSessionLeadsToTheTranscript() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let commands = [
            ["show", "abc"], ["history", "abc"], ["picture", "abc", "--save", "x"],
            ["show", Self.unknownSession],
            ["send", "-c", "games", "--url", "?", "--session", "abc"],
        ]
        for command in commands {
            let finished = try await Program.run(command + ["--data", node.data])
            #expect(finished.status == 65)
            #expect(
                finished.errorText.contains(
                    ": parley transcript --long -c NAME --data \(node.data)\n"
                ),
                "\(command): \(finished.errorText)"
            )
        }
        await node.end()
    }

    /// Regression: a directory was said to be unreadable, without the reason.
    @Test func aPlanThatIsADirectoryIsNamedAsOne() async throws {
        let directory = try TestDirectory()
        let folder = try await Program.run(["simulate", "--plan", directory.url.path])
        #expect(folder.status == 65)
        #expect(folder.errorText.contains("\(directory.url.path) is a directory"))
        let missing = try await Program.run(["simulate", "--plan", directory.path("none.yaml")])
        #expect(missing.status == 65)
        #expect(missing.errorText.contains("none.yaml cannot be read: No such file"))
    }

    /// Regression: the second demo in a directory failed over the conversation of the first.
    @Test func aDemoDoesNotGoOnWithDataOfAnother() async throws {
        let directory = try TestDirectory()
        _ = try directory.write("bob", Data())
        let refused = try await Program.run(["demo", "--once", "--data", directory.url.path])
        #expect(refused.status == 1)
        #expect(refused.errorText.contains("\(directory.path("bob")) has data of an earlier demo"))
    }

    @Test func nodeThatWasKilledIsNotRunning() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        await node.end(with: SIGKILL)
        let finished = try await node.run("status")
        #expect(finished.status == 69)
    }

    @Test func portInUseIsSaid() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        let finished = try await Program.run([
            "node", "--no-discovery", "--listen", try await node.address, "--json", "--data",
            directory.path("other"),
        ])
        #expect(finished.status == 73)
        #expect(try finished.problem().kind == .portInUse)
        await node.end()
    }

    @Test func pictureThatIsTooLargeIsMeasured() async throws {
        let directory = try TestDirectory()
        let file = try directory.write("big.png", Data(count: 10_000_000))
        let finished = try await Program.run(["send", "-c", "games", "--image", file])
        #expect(finished.status == 65 || finished.status == 69)
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let refused = try await node.run("send", "-c", "games", "--image", file)
        #expect(refused.status == 65)
        #expect(refused.errorText.contains("10000000 bytes"))
        #expect(refused.errorText.contains("4194276"))
        let cut = try directory.write("cut.jpg", Data([0xFF, 0xD8, 0xFF]))
        let unshowable = try await node.run("send", "-c", "games", "--image", cut)
        #expect(unshowable.status == 65)
        #expect(unshowable.errorText.contains("It was cut: its end is missing."))
        await node.end()
    }
}
