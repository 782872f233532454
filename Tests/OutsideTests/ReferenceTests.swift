import Foundation
import TestSupport
import Testing

/// The reference of the public modules is made from what was built, and DocC warns of nothing.
@Suite(.timeLimit(.minutes(10))) struct ReferenceTests {
    @Test func isMadeWithoutAWarning() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../..").standardizedFileURL
        let errors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: errors) }
        let child = try Child(
            [root.appending(path: "Deploy/reference.sh").path],
            environment: ProcessInfo.processInfo.environment,
            output: "/dev/null",
            errors: errors.path
        )
        let exitCode = await child.end()
        let problems = try String(contentsOf: errors, encoding: .utf8)
        #expect(exitCode == 0, "\(problems.suffix(4_000))")
        for page in ["Messages/documentation/messages", "ParleyNode/documentation/parleynode"] {
            let file = root.appending(path: ".build/reference/\(page)/index.html")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(page)")
        }
    }
}
