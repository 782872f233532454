import Foundation
import ParleyAPI
import ParleyWeb
import TestSupport
import Testing

/// The code of the tutorial is compiled unchanged, tested, and played with on two nodes.
@Suite(.timeLimit(.minutes(20)))
struct TutorialTests {
    private static let project = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    /// The files in the document, by path.
    private static func files() throws -> [String: String] {
        let document = try String(
            contentsOf: project.appending(path: "docs/writing-apps.md"),
            encoding: .utf8
        )
        let block = /\n`(?<path>[^`\n]+)`:\n\n```swift\n(?<text>.*?\n)```\n/.dotMatchesNewlines()
        return Dictionary(
            document.matches(of: block).map { (String($0.path), String($0.text)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The sample app of Parley equals the one that the tutorial builds.
    @Test func theSampleAppIsThatOfTheTutorial() throws {
        let files = try Self.files()
        #expect(files.count == 5)
        for name in ["Game.swift", "TicTacToe.swift"] {
            let sample = Self.project.appending(path: "Sources/Apps/TicTacToe/\(name)")
            let text = try String(contentsOf: sample, encoding: .utf8)
            #expect(files["Sources/TicTacToe/\(name)"] == text, "\(name)")
        }
    }

    @Test func anEmptyFolderBecomesAGameForTwoMachines() async throws {
        let root = FileManager.default.temporaryDirectory
            .appending(path: "parley-tutorial-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        let package = root.appending(path: "game")
        for (path, text) in try Self.files() {
            let file = package.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        try FileManager.default.createSymbolicLink(
            at: root.appending(path: "parley"),
            withDestinationURL: Self.project
        )
        let script = Self.project.appending(path: "Tests/OutsidePackages/tutorial.sh")
        let built = try await Program.run([package.path], program: script)
        try #require(built.status == 0, "\(built.errorText.suffix(4_000))")
        let program = try #require(built.text.split(separator: "\n").last.map(String.init))
        try await Self.play(URL(filePath: program), root)
    }

    /// Plays one move on each side with the program that the tutorial builds.
    private static func play(_ program: URL, _ root: URL) async throws {
        let ann = try await NodeProcess(
            data: root.appending(path: "ann").path,
            name: "ann",
            program: program
        )
        let ben = try await NodeProcess(
            data: root.appending(path: "ben").path,
            name: "ben",
            peers: [try await ann.address],
            program: program
        )
        _ = try await ann.ask(Conversation.self, "conversation", "create", "games")
        let invite = try await ann.ask(Invite.self, "invite", "games")
        let joined = try await ben.run("join", "-", input: Data(invite.link.utf8))
        try #require(joined.status == 0, "\(joined.errorText)")
        let apps = try await ann.ask([AppDocument].self, "apps")
        #expect(apps.map(\.id) == ["org.example.tictactoe"])

        let first = try await ann.open("5\ns\nq\n")
        #expect(first.text.contains("O moves next"), "\(first.errorText)")
        _ = try await eventually("the move at ben's") {
            try await ben.transcript().first { $0.url?.contains("board=----X----") == true }
        }
        let second = try await ben.open("m\n1\ns\nq\n")
        #expect(second.text.contains("Your turn: you play O"), "\(second.errorText)")
        #expect(second.text.contains("X moves next"))
        await #expect(ann.end() == 0)
        await #expect(ben.end() == 0)
    }
}

extension NodeProcess {
    /// Opens the game and types `lines`.
    nonisolated func open(_ lines: String) async throws -> Program.Finished {
        try await run("open", "tictactoe", "-c", "games", input: Data(lines.utf8))
    }
}
