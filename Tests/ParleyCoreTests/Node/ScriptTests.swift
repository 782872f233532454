import Foundation
import Testing

/// The traces of `Scripts/*.txt` are what the world does.
///
/// After a change that is meant: `PARLEY_TEST_UPDATE_SCRIPTS=1 swift test --filter ScriptTests`,
/// and look at what the version control shows.
@Suite struct ScriptTests {
    @Test(arguments: scripts)
    func traceIsAsWritten(name: String) throws {
        let file = Self.folder.appendingPathComponent(name)
        let text = try String(contentsOf: file, encoding: .utf8)
        let script = Script(text)
        let replayed = try script.replayed()
        if ProcessInfo.processInfo.environment["PARLEY_TEST_UPDATE_SCRIPTS"] == "1" {
            try replayed.text.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        for (expected, actual) in zip(script.groups, replayed.groups) {
            let difference = Self.difference(expected.trace, actual.trace)
            #expect(difference == nil, "\(name): after \(expected.commands)")
        }
        #expect(!replayed.text.contains("PROBLEM"))
    }

    @Test func thereAreScripts() {
        #expect(Self.scripts.count >= 20)
    }

    /// The first line that is another one, with the line before it.
    private static func difference(_ expected: [String], _ actual: [String]) -> String? {
        let count = max(expected.count, actual.count)
        let different = (0..<count).first { index in
            !expected.indices.contains(index) || !actual.indices.contains(index)
                || expected[index] != actual[index]
        }
        guard let different else { return nil }
        let before = different > 0 ? expected[different - 1] : "the beginning"
        let wanted = different < expected.count ? expected[different] : "the end"
        let found = different < actual.count ? actual[different] : "the end"
        return "after '\(before)' there is '\(found)' instead of '\(wanted)'"
    }

    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scripts")

    private static let scripts: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted()
    }()
}
