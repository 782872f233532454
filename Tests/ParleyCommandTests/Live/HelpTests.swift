import Foundation
import ParleyAPI
import ParleyNode
import Testing

/// The help texts.
@Suite(.timeLimit(.minutes(5))) struct HelpTests {
    /// Regression: `--help` had the exit code 70, that of an internal error.
    @Test(arguments: [
        [], ["--help"], ["help"], ["node", "--help"], ["help", "send"], ["conversation", "-h"],
        ["simulate", "--help"], ["lab", "run", "--help"], ["open", "--help"],
    ])
    func helpIsPrinted(arguments: [String]) async throws {
        let told = try await Program.run(arguments)
        #expect(told.status == 0)
        #expect(told.text.contains("USAGE: parley"))
        #expect(told.errorText.isEmpty)
    }

    /// Regression: the default port was 47275, which Linux gives to outgoing connections, so that
    /// any of them could hold it when a node started.
    @Test func theDefaultPortIsNamedAndIsNoPortOfOutgoingConnections() async throws {
        let told = try await Program.run(["node", "--help"])
        #expect(told.text.contains("port \(NodeSettings.defaultPort)"))
        #expect(NodeSettings.defaultPort < 32_768)
    }

    /// Regression: a line of a paragraph that was longer than the terminal left one word alone on
    /// the next line.
    @Test(arguments: [
        [], ["node"], ["page"], ["demo"], ["conversation"], ["conversation", "create"],
        ["conversation", "list"], ["conversation", "leave"], ["invite"], ["join"], ["nearby"],
        ["send"], ["transcript"], ["search"], ["show"], ["picture"], ["history"], ["conflicts"],
        ["apps"],
        ["open"], ["peers"], ["status"], ["simulate"], ["lab"], ["lab", "run"], ["verify"],
        ["person"], ["person", "lost"], ["person", "link"], ["person", "show"],
    ])
    func paragraphsFillTheirLines(command: [String]) async throws {
        let told = try await Program.run(["help"] + command).text
        let overview = try #require(told.components(separatedBy: "\nUSAGE:").first)
        let lines = overview.split(separator: "\n", omittingEmptySubsequences: false)
        for (line, next) in zip(lines, lines.dropFirst()) {
            #expect(line.count < 80, "\(line)")
            guard let word = next.split(separator: " ", omittingEmptySubsequences: false).first,
                !word.isEmpty, !line.isEmpty, !line.hasPrefix(" ")
            else { continue }
            #expect(line.count + 1 + word.count >= 80, "\(line) / \(word)")
        }
    }

    @Test func versionIsPrinted() async throws {
        let told = try await Program.run(["--version"])
        #expect(told.status == 0)
        #expect(told.text.hasPrefix("0."))
    }

    /// Regression: `help relay` and `relay --help` printed the help of the program, as if that were
    /// what was asked for.
    @Test(arguments: [
        ["sned"], ["sned", "--help"], ["help", "sned"], ["help", "sned", "--json"],
    ])
    func unknownCommandsAreNamedWithTheNearest(arguments: [String]) async throws {
        let told = try await Program.run(arguments)
        #expect(told.status == 64)
        #expect(told.output.isEmpty)
        #expect(told.errorText.contains("There is no command 'sned'. Did you mean 'send'?"))
        #expect(told.errorText.contains(arguments.contains("--json") ? "help" : "parley --help"))
    }

    @Test func unknownCommandsWithoutANearOneAreNamed() async throws {
        let relay = try await Program.run(["help", "relay"])
        #expect(relay.status == 64)
        #expect(relay.errorText.hasPrefix("Error: There is no command 'relay'.\nUsage: "))
        let list = try await Program.run(["conversation", "lst"])
        #expect(list.status == 64)
        #expect(list.errorText.contains("'conversation lst'. Did you mean 'conversation list'?"))
        #expect(list.errorText.contains("parley conversation --help"))
        let more = try await Program.run(["help", "send", "games"])
        #expect(more.status == 64)
        #expect(more.errorText.contains("There is no command 'send games'."))
    }

    /// Arguments, and a part of their error.
    private static let misspelt: [([String], String)] = [
        (["send", "-c", "games", "--ulr", "?"], "Unknown option '--ulr'. Did you mean '--url'?"),
        (["send", "--conversaton=games", "--url", "?"], "Did you mean '--conversation'?"),
        (["send", "-c", "games", "-url", "?"], "Unknown option '-url'. Did you mean '--url'?"),
        (["send", "-c", "games", "-x", "?"], "Unknown option '-x'.\n"),
        (["picture", "x", "--svae", "y"], "Unknown option '--svae'. Did you mean '--save'?"),
        (["conversation", "create", "--date", "x"], "Did you mean '--data'?"),
        // A text that is only a value is no option, and the missing one is named.
        (["send", "-c", "games", "--url", "--ulr"], "Missing value for '--url <url>'"),
        (["picture", "x"], "Missing expected argument '--save <file>'"),
        (["picture", "x", "--message=--svae"], "Missing expected argument '--save <file>'"),
    ]

    /// Regression: a misspelt option that the command needs was reported as missing.
    @Test(arguments: misspelt)
    func unknownOptionsAreNamedFirst(arguments: [String], error: String) async throws {
        let told = try await Program.run(arguments)
        #expect(told.status == 64)
        #expect(told.errorText.contains(error), "\(told.errorText)")
        #expect(told.errorText.contains("Usage: parley \(arguments[0])"), "\(told.errorText)")
        let json = try await Program.run(arguments + ["--json"]).problem()
        #expect(json.kind == .usage)
        #expect((json.message + "\n").contains(error), "\(json.message)")
    }
}
