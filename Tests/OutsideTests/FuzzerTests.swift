import Foundation
import TestSupport
import Testing

/// The fuzzer, which no other test builds, fits to the sources.
@Suite(.timeLimit(.minutes(10))) struct FuzzerTests {
    @Test func isReadByTheCompiler() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../..").standardizedFileURL
        let files = try TestDirectory()
        let child = try Child(
            [root.appending(path: "Tests/Fuzz/build.sh").path, "--check"],
            environment: ProcessInfo.processInfo.environment,
            output: files.path("output"),
            errors: files.path("output")
        )
        let exitCode = await child.end()
        let problems = String(decoding: try files.contents("output"), as: UTF8.self)
        #expect(exitCode == 0, "\(problems.suffix(4_000))")
    }
}
