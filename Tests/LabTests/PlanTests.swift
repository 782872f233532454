import Foundation
import TestSupport
import Testing

extension TheLab {
    /// The plans of `Tests/Plans` against real nodes, as `parley lab run` carries them out.
    @Suite(.timeLimit(.minutes(5)))
    struct PlanTests {
        private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Plans").standardized

        /// The names of the plans that the lab can run.
        private static let names: [String] = {
            let found = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
            return (found ?? []).sorted().filter { name in
                let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
                return name.hasSuffix(".yaml") && text?.contains("worlds: simulator") == false
            }
        }()

        @Test(arguments: names)
        func passes(_ name: String) async throws {
            let outcome = try await PlanProgram.run([Self.folder.appending(path: name).path])
            try #require(outcome.exitCode == 0, "\(name): \(outcome.errors)")
            let result = try JSONDecoder().decode(PlanResult.self, from: outcome.output)
            try #require(result.passed && result.world == "lab")
            try #require(result.expectations.allSatisfy { $0.outcome == "met" })
            let slowest = result.expectations.compactMap(\.afterMs).max() ?? 0
            Figure.say("\(name): slowest \(Int(slowest)) ms")
        }

        @Test func thereAreEnough() {
            #expect(Self.names.count >= 12)
        }

        @Test func expectationThatIsMissedEndsWithOneAndTheNodesLogs() async throws {
            let outcome = try await PlanProgram.run(
                text: """
                    plan: It fails
                    hosts: [ann, ben]
                    conversations: {games: {writers: [ann, ben]}}
                    steps:
                      - expect: {linked: all, within: 15s}
                      - expect: {same: {messages: 1}, within: 100ms}
                      - expect: {no-conflict: yes}
                    """
            )
            #expect(outcome.exitCode == 1)
            let result = try JSONDecoder().decode(PlanResult.self, from: outcome.output)
            #expect(result.expectations.map(\.outcome) == ["met", "missed", "notReached"])
            #expect(outcome.errors.contains("ann: shows 0 of 1"))
            #expect(outcome.errors.contains("ben logged:"))
        }

        /// Regression: a plan passed although one of its programs had ended.
        @Test func aProgramThatEndsByItselfEndsThePlan() async throws {
            let outcome = try await PlanProgram.run(
                text: """
                    plan: A program that fails
                    worlds: lab
                    hosts: {web: {node: no, programs: {server: {run: exit 3}}}}
                    steps:
                      - pass: 500ms
                      - run: {on: web, command: 'true'}
                    """
            )
            #expect(outcome.exitCode == 1)
            #expect(outcome.errors.contains("server of web has ended with 3"), "\(outcome.errors)")
        }

        @Test func faultThatTheLabCannotMakeIsRefusedBeforeAnythingBegins() async throws {
            let outcome = try await PlanProgram.run(
                text: """
                    plan: Slow
                    hosts: [ann, ben]
                    conversations: {games: {writers: [ann, ben]}}
                    steps:
                      - intrude: {by: ben, at: ann, with: forged-envelope}
                    """
            )
            #expect(outcome.exitCode == 77)
            #expect(outcome.errors.contains("faultNotPossible"))
            #expect(outcome.errors.contains("intrude with forged-envelope (line 5)"))
            #expect(!outcome.errors.contains("Making"))
        }

        /// Regression: as root, the lab made its files through a link that another user had put
        /// where the directory was expected.
        @Test func aPlantedLinkIsNotFollowed() async throws {
            let files = try TestDirectory()
            for name in ["shared", "victim"] {
                try FileManager.default.createDirectory(
                    at: files.url.appending(path: name),
                    withIntermediateDirectories: false
                )
            }
            let plan = """
                plan: Short
                hosts: [ann, ben]
                conversations: {games: {writers: [ann, ben]}}
                steps:
                  - pass: 1ms
                """
            let start = Pipe()
            let child = try Child(
                [
                    "/bin/sh", "-c", "read line; exec \"$0\" \"$@\"", Lab.executable, "lab", "run",
                    try files.write("plan.yaml", Data(plan.utf8)),
                ],
                environment: ["TMPDIR": files.path("shared"), "PATH": "/usr/bin:/bin"],
                input: .descriptor(start.fileHandleForReading.fileDescriptor),
                output: files.path("output"),
                errors: files.path("errors")
            )
            let name = "shared/parley-lab-p" + String(child.pid, radix: 36)
            try FileManager.default.createSymbolicLink(
                atPath: files.path(name),
                withDestinationPath: files.path("victim")
            )
            try start.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            let code = try await eventually("end", within: .seconds(30)) { child.exitCode }
            let errors = String(decoding: try files.contents("errors"), as: UTF8.self)
            #expect(code == 73, "\(errors)")
            let reached = try FileManager.default.contentsOfDirectory(atPath: files.path("victim"))
            #expect(reached == [])
        }

        /// Regression: clocks stayed as they were, as no program could load libfaketime from there.
        @Test func aClockNeedsADirectoryThatTheLinkerTakes() async throws {
            let files = try TestDirectory()
            let folder = files.url.appending(path: "two words")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let plan = """
                plan: Clocks
                hosts: [ann]
                conversations: {games: {writers: [ann]}}
                steps:
                  - clock: {host: ann, by: 1h}
                """
            let path = try files.write("plan.yaml", Data(plan.utf8))
            let child = try Child(
                [Lab.executable, "lab", "run", path],
                environment: ["TMPDIR": folder.path, "PATH": "/usr/bin:/bin"],
                output: files.path("output"),
                errors: files.path("errors")
            )
            let code = try await eventually("end", within: .seconds(30)) { child.exitCode }
            let errors = String(decoding: try files.contents("errors"), as: UTF8.self)
            #expect(code == 73, "\(errors)")
            #expect(errors.contains("Set TMPDIR to a directory without space and colon"))
        }

        @Test func interruptionLeavesNothingBehind() async throws {
            let files = try PlanProgram.file(
                """
                plan: Long
                hosts: [ann, ben]
                conversations: {games: {writers: [ann, ben]}}
                steps:
                  - expect: {linked: all, within: 15s}
                  - pass: 1h
                """
            )
            defer { files.remove() }
            let child = try PlanProgram.start([files.plan], files)
            let prefix = "p" + String(child.pid, radix: 36)
            try await eventually("linked hosts", within: .seconds(30)) {
                files.errorText.contains("linked: after")
            }
            #expect(FileManager.default.fileExists(atPath: "/run/parley-lab/\(prefix)"))
            child.signal(SIGINT)
            let code = try await eventually("end", within: .seconds(30)) { child.exitCode }
            #expect(code == 1)
            #expect(!FileManager.default.fileExists(atPath: "/run/parley-lab/\(prefix)"))
            let left = try FileManager.default.contentsOfDirectory(atPath: "/run/netns")
                .filter { $0.hasPrefix("\(prefix)-") }
            #expect(left == [])
            #expect(try files.labDirectories(prefix) == [])
        }
    }
}

/// The output of `parley lab run --json`.
private struct PlanResult: Decodable {
    struct Row: Decodable {
        let outcome: String
        let afterMs: Double?
    }

    let world: String
    let passed: Bool
    let expectations: [Row]
}

/// The program that runs plans, with files for what it reads and prints.
private enum PlanProgram {
    struct Files {
        let folder: URL

        var plan: String { folder.appending(path: "plan.yaml").path }
        var output: String { folder.appending(path: "out").path }
        var errors: String { folder.appending(path: "err").path }
        /// Empty until there is something.
        var errorText: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

        /// The directories of the lab with that prefix that are there.
        func labDirectories(_ prefix: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(
                atPath: FileManager.default.temporaryDirectory.path
            ).filter { $0.hasPrefix("parley-lab-\(prefix)") }
        }

        func remove() {
            // Files that are left behind are in the temporary directory.
            try? FileManager.default.removeItem(at: folder)
        }
    }

    static func file(_ text: String = "") throws -> Files {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "parley-plan-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = Files(folder: folder)
        try Data(text.utf8).write(to: URL(filePath: files.plan))
        return files
    }

    static func start(_ arguments: [String], _ files: Files) throws -> Child {
        try Child(
            [Lab.executable, "lab", "run", "--json"] + arguments,
            environment: ProcessInfo.processInfo.environment,
            output: files.output,
            errors: files.errors
        )
    }

    static func run(_ arguments: [String]) async throws -> Outcome {
        let files = try file()
        defer { files.remove() }
        return try await run(arguments, files)
    }

    static func run(text: String) async throws -> Outcome {
        let files = try file(text)
        defer { files.remove() }
        return try await run([files.plan], files)
    }

    private static func run(_ arguments: [String], _ files: Files) async throws -> Outcome {
        let child = try start(arguments, files)
        let code = try await eventually("end of the plan", within: .seconds(120)) {
            child.exitCode
        }
        return Outcome(
            exitCode: code,
            output: try Data(contentsOf: URL(filePath: files.output)),
            errors: files.errorText
        )
    }
}
