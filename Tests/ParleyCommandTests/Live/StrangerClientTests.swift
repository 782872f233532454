import Foundation
import TestSupport
import Testing

/// The client of `Tests/Stranger`, written from the protocol's document alone, beside real nodes.
@Suite(.timeLimit(.minutes(5)))
struct StrangerClientTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Stranger/scenario.py").standardizedFileURL

    @Test(arguments: ["receipts", "rotation", "rivals", "between"])
    func takesPart(in scenario: String) async throws {
        let files = try TestDirectory()
        let child = try Child(
            ["/usr/bin/python3", Self.script.path, "--scenario", scenario, Program.url.path],
            environment: Program.clean,
            output: files.path("output"),
            errors: files.path("errors")
        )
        let status = await child.end()
        let lines = String(decoding: try files.contents("output"), as: UTF8.self)
        let errors = String(decoding: try files.contents("errors"), as: UTF8.self)
        #expect(status == 0, "\(lines)\(errors)")
        #expect(lines.split(separator: "\n").count > 5, "\(lines)")
    }
}
