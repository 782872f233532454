import Foundation
import ParleyAPI
import ParleyCommand
import TestSupport
import Testing

/// The program under another name, as an app author builds it.
@Suite(.timeLimit(.minutes(5))) struct OtherProgramTests {
    private let files: TestDirectory
    private let program: URL

    init() throws {
        files = try TestDirectory()
        program = files.url.appending(path: "dice-duel")
        try FileManager.default.createSymbolicLink(at: program, withDestinationURL: Program.url)
    }

    /// Regression: the hints of an author's program told people to run `parley`.
    @Test func hintsNameTheProgram() async throws {
        func run(_ arguments: String...) async throws -> Program.Finished {
            try await Program.run(
                arguments + ["--data", files.path("data")],
                program: program
            )
        }
        let data = ShellWord.quoted(files.path("data"))
        let alone = try await run("status")
        #expect(alone.status == 69)
        #expect(alone.errorText.contains("start one with: dice-duel node --data \(data)\n"))
        let json = try await run("status", "--json").problem()
        #expect(json.hint == "start one with: dice-duel node --data \(data)")
        let node = try await NodeProcess(data: files.path("data"), program: program)
        let peers = try await run("peers")
        #expect(peers.text.contains("dice-duel nearby"))
        let unknown = try await run("transcript", "-c", "chess")
        #expect(unknown.errorText.contains("See: dice-duel conversation list"))
        let invite = try await run("join", "nonsense")
        #expect(invite.errorText.contains("dice-duel invite printed"))
        let made = try await run("conversation", "create", "games")
        #expect(made.text.contains("  dice-duel invite games --data \(data)\n"))
        await #expect(node.end() == 0)
    }

    /// The help names the program in its examples, too.
    @Test(arguments: [["--help"], ["node", "--help"], ["help", "send"], ["sned"]])
    func helpNamesTheProgram(arguments: [String]) async throws {
        let told = try await Program.run(arguments, program: program)
        let text = told.text + told.errorText
        #expect(text.contains("dice-duel "))
        #expect(!text.contains("parley "), "\(text)")
    }
}
