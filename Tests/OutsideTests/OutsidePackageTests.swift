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
            Set(compiled).subtracting(own) == ["Logging", "Messages", "OSLog", "UIKit"],
            "nothing else is dragged in"
        )
    }

    /// The lines that the packages' own script prints.
    private static func run() async throws -> [String] {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../OutsidePackages/run.sh").standardizedFileURL
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appending(path: "output")
        // The programs log calls off the main queue, if their queues get that far before they end.
        let errors = folder.appending(path: "errors")
        let child = try Child(
            [script.path],
            environment: ProcessInfo.processInfo.environment,
            output: output.path,
            errors: errors.path
        )
        let exitCode = await child.end()
        let text = try String(contentsOf: output, encoding: .utf8)
        let problems = try String(contentsOf: errors, encoding: .utf8)
        try #require(exitCode == 0, "\((text + problems).suffix(4_000))")
        return text.split(separator: "\n").map(String.init)
    }
}
