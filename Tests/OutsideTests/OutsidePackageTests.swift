import Foundation
import TestSupport
import Testing

/// Games and tools in the idioms of iOS, as packages of their own that depend on Parley: each is
/// compiled in language modes 5 and 6 and used; the one with root controllers only in mode 5.
@Suite(.timeLimit(.minutes(10))) struct OutsidePackageTests {
    private static let names = [
        "ChessByMail", "DiceDuel", "LunchPoll", "NoughtsAndCrosses", "ParlourStore", "SketchLive",
        "TripPlanner", "WordGuess",
    ]

    @Test func compileUnchangedAndWork() async throws {
        let lines = try await Self.run()
        for name in Self.names {
            #expect(lines.filter { $0 == "\(name) works" }.count == 2, "\(name)")
        }
        #expect(lines.contains("RootControllers works"))
        let compiled = lines.filter { !$0.hasSuffix(" works") }
        let own = Self.names.flatMap { [$0, $0 + "6"] } + ["RootControllers"]
        #expect(
            Set(compiled).subtracting(own) == ["Messages", "UIKit"],
            "nothing else is dragged in"
        )
    }

    /// The lines that the packages' own script prints.
    private static func run() async throws -> [String] {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../OutsidePackages/run.sh").standardizedFileURL
        let log = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).log")
        defer { try? FileManager.default.removeItem(at: log) }
        let child = try Child(
            [script.path],
            environment: ProcessInfo.processInfo.environment,
            output: log.path,
            errors: log.path
        )
        let exitCode = await child.end()
        let text = try String(contentsOf: log, encoding: .utf8)
        try #require(exitCode == 0, "\(text.suffix(4_000))")
        return text.split(separator: "\n").map(String.init)
    }
}
