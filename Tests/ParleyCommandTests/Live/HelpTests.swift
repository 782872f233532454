import Foundation
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
        ["send"], ["transcript"], ["show"], ["picture"], ["history"], ["conflicts"], ["apps"],
        ["open"], ["peers"], ["status"], ["simulate"], ["lab"], ["lab", "run"],
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

    @Test func unknownCommandsNameTheHelp() async throws {
        let told = try await Program.run(["sned"])
        #expect(told.status == 64)
        #expect(told.errorText.contains("parley --help"))
    }
}
