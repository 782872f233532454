import Foundation
import ParleyAPI
import TestSupport
import Testing

/// The command `parley simulate`.
@Suite(.timeLimit(.minutes(5))) struct SimulateTests {
    private struct Run: Decodable, Equatable {
        let seed: UInt64
        let result: String
        let traceHash: String
    }

    /// A run does not depend on anything of the process, such as its hash seed.
    @Test func sameSeedSameHashInAnotherProcess() async throws {
        let arguments = ["simulate", "--seed", "40", "--seeds", "3", "--nodes", "2", "--json"]
        let one = try await Program.run(arguments)
        let other = try await Program.run(arguments + ["--jobs", "1"])
        #expect(one.status == 0, "\(one.errorText)")
        #expect(one.output == other.output)
        let runs = try one.documents(Run.self)
        #expect(runs.map(\.seed) == [40, 41, 42])
        #expect(runs.allSatisfy { $0.result == "kept" && $0.traceHash.count == 16 })
        #expect(Set(runs.map(\.traceHash)).count == 3)
    }

    /// The seeds of `GuidedSeeds`, which this test does not import.
    @Test func guidedRunsHaveSeedsThatCanBeRepeated() async throws {
        let guided = try await Program.run(["simulate", "--guided", "--seeds", "2", "--json"])
        #expect(guided.status == 0, "\(guided.errorText)")
        let runs = try guided.documents(Run.self)
        #expect(runs.count == 2 && !runs.contains { $0.seed < 2 })
        let again = try await Program.run(["simulate", "--seed", "\(runs[0].seed)", "--json"])
        #expect(try again.documents(Run.self) == [runs[0]])
    }

    @Test func traceIsTold() async throws {
        let told = try await Program.run(["simulate", "--nodes", "2", "--trace", "-"])
        #expect(told.status == 0)
        #expect(told.text.contains("a joins table as writer"))
        #expect(told.errorText.contains("trace hash"))
    }

    /// Regression: a plan that failed wrote thousands of lines, its reason last but one.
    @Test func aPlanThatFailsSaysWhyAndIsKept() async throws {
        let files = try TestDirectory()
        let plan = try files.write(
            "plan.yaml",
            Data(
                """
                plan: It fails
                hosts: [ann, ben]
                conversations: {games: {writers: [ann, ben]}}
                steps:
                  - send: {by: ann, session: s, url: u}
                  - expect: {same: {messages: 2}, within: 1s}
                """.utf8
            )
        )
        let one = try await Program.run(
            ["simulate", "--plan", plan, "--trace", files.path("trace")]
        )
        #expect(one.status == 1)
        let lines = one.errorText.split(separator: "\n")
        #expect(lines.count < 50)
        #expect(
            lines.contains { $0.hasPrefix("MISSED: line 6: all show the same 2 messages: ann") }
        )
        #expect(String(decoding: try files.contents("trace"), as: UTF8.self).contains("ann starts"))

        let many = try await Program.run([
            "simulate", "--plan", plan, "--seed", "5", "--seeds", "3", "--keep", files.path("kept"),
            "--junit", files.path("junit.xml"),
        ])
        #expect(many.status == 1)
        #expect(many.text.contains("line 6: all show the same 2 messages: 3 seeds (5, 6, 7)"))
        let kept = String(decoding: try files.contents("kept/seed-6.txt"), as: UTF8.self)
        #expect(kept.contains(" simulate --plan ") && kept.contains("--seed 6\nMISSED: line 6"))
        let report = String(decoding: try files.contents("junit.xml"), as: UTF8.self)
        #expect(report.split(separator: "<testsuite ").count == 4)
    }

    @Test(arguments: [
        ["--nodes", "1"], ["--seeds", "0"], ["--trace", "-", "--seeds", "2"], ["--keep", "x"],
        ["--junit", "x"], ["--guided", "--seed", "3"],
        ["--plan", "x", "--timeline", "x", "--seeds", "2"],
    ])
    func impossibleOptionsAreRefused(options: [String]) async throws {
        #expect(try await Program.run(["simulate"] + options).status == 64)
    }

    /// Regression: a file took the place of what was none, as of `/dev/null`.
    @Test func whatIsNoFileIsNotReplaced() async throws {
        let directory = try TestDirectory()
        let place = directory.path("place")
        let link = directory.path("link")
        try Data().write(to: URL(filePath: place))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place)
        let run = try await Program.run(["simulate", "--nodes", "2", "--trace", link])
        #expect(run.status == 0, "\(run.errorText)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == place)
        #expect(try Data(contentsOf: URL(filePath: place)).isEmpty == false)
    }

    /// Regression: a soak run that was stopped forgot what it had done of 200 seeds.
    @Test func aSoakRunThatIsStoppedKeepsItsSeeds() async throws {
        let files = try TestDirectory()
        let arguments = ["simulate", "--soak", files.path("state"), "--nodes", "2", "--json"]
        func start(_ output: String) throws -> Child {
            try Child(
                [Program.url.path] + arguments,
                environment: Program.clean,
                output: files.path(output),
                errors: files.path("errors")
            )
        }
        func seeds(_ output: String) throws -> [UInt64] {
            let bytes = try files.contents(output)
            let whole = bytes[..<(bytes.lastIndex(of: 0x0A) ?? bytes.startIndex)]
            return try whole.split(separator: 0x0A).map { try JSON.decode(Run.self, from: $0).seed }
        }
        let first = try start("first")
        try await eventually("some seeds", within: .seconds(60)) { try seeds("first").count >= 2 }
        first.signal(SIGINT)
        _ = await first.end()
        #expect(first.endingSignal == SIGINT)
        let done = UInt64(try seeds("first").count)
        #expect(try seeds("first") == Array(0..<done))
        let words = String(decoding: try files.contents("errors"), as: UTF8.self)
        #expect(words.contains("continues with seed \(done)"), "\(words)")

        let second = try start("second")
        try await eventually("one more", within: .seconds(60)) { try !seeds("second").isEmpty }
        second.signal(SIGKILL)
        _ = await second.end()
        #expect(try seeds("second").first == done)
    }

    @Test func unreadableSoakFileIsRefused() async throws {
        let directory = try TestDirectory()
        let file = directory.url.appending(path: "soak.json")
        try Data("no soak".utf8).write(to: file)
        let refused = try await Program.run(["simulate", "--soak", file.path])
        #expect(refused.status == 65)
    }
}
