import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// Hosts on one switch for one test, made by `Sources/CLab/lab.sh`.
///
/// When the test ends, however it ends, a guard process removes what is left of them.
final class Lab: Sendable {
    let prefix: String
    private let files: TestDirectory
    /// The directory of everything that the test writes.
    let directory: String
    private let environment: [String: String]
    private let guardEnd: Int32
    private let counter = Mutex(0)

    /// The executable that is tested: the one that was built with this test.
    static let executable: String = {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return program.deletingLastPathComponent().appending(path: "parley").path
    }()

    static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/CLab/lab.sh").standardized.path
    private static let number = Mutex(0)

    /// Runs `body` with hosts 1 to `count`; if it fails, shows what the nodes logged.
    static func with(hosts count: Int, _ body: (Lab) async throws -> Void) async throws {
        try #require(FileManager.default.isExecutableFile(atPath: executable), "\(executable)")
        let lab = try Lab()
        do {
            try await lab.script("up", "\(count)", within: .seconds(60))
            try await body(lab)
        } catch {
            lab.showLogs()
            lab.down()
            throw error
        }
        lab.down()
    }

    private init() throws {
        let number = Self.number.withLock { number in
            number += 1
            return number
        }
        prefix = "t" + String(getpid(), radix: 36) + "x" + String(number, radix: 36)
        files = try TestDirectory()
        directory = files.url.path
        let strange = ["PARLEY_DATA", "DBUS_SYSTEM_BUS_ADDRESS", "NOTIFY_SOCKET"]
        environment = ProcessInfo.processInfo.environment.filter { !strange.contains($0.key) }
        guardEnd = try Self.startGuard(prefix, directory)
    }

    /// A process that reads until this one is gone, or `down`, and then removes the lab.
    ///
    /// - Returns: the descriptor that keeps it waiting.
    private static func startGuard(_ prefix: String, _ directory: String) throws -> Int32 {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let command = "cat >/dev/null; \"$0\" -p \"$1\" down; rm -rf \"$2\""
        let child = try Child(
            ["/bin/sh", "-c", command, script, prefix, directory],
            environment: ProcessInfo.processInfo.environment,
            input: .descriptor(ends[0]),
            output: "/dev/null",
            errors: "/dev/null"
        )
        close(ends[0])
        guards.withLock { $0[ends[1]] = child }
        return ends[1]
    }

    /// Guards by the descriptor that keeps each of them waiting.
    private static let guards = Mutex<[Int32: Child]>([:])

    private func down() {
        close(guardEnd)
        let child = Self.guards.withLock { $0.removeValue(forKey: guardEnd) }
        _ = child?.waitForEnd()
    }

    // MARK: Hosts and faults

    /// Host `number`, with the data directory `name` there.
    func host(_ number: Int, _ name: String = "data") -> Host {
        Host(lab: self, number: number, data: "\(directory)/host\(number)-\(name)")
    }

    /// Runs a verb of `lab.sh`.
    ///
    /// - Returns: what it printed.
    @discardableResult
    func script(_ arguments: String..., within limit: Duration = .seconds(30)) async throws
        -> String
    {
        let outcome = try await run([Self.script, "-p", prefix] + arguments, within: limit)
        try #require(
            outcome.exitCode == 0,
            "lab.sh \(arguments.joined(separator: " ")): \(outcome.errors)"
        )
        return String(decoding: outcome.output, as: UTF8.self)
    }

    // MARK: Programs

    /// Starts a program in a host that goes on by itself, with what it prints in files.
    func start(_ arguments: [String], on host: Int, output: String, errors: String) throws -> Child
    {
        try Child(
            [Self.script, "-p", prefix, "exec", "\(host)"] + arguments,
            environment: environment,
            output: output,
            errors: errors
        )
    }

    /// Runs a program to its end.
    func run(
        _ arguments: [String],
        input: Data? = nil,
        within limit: Duration = .seconds(30)
    ) async throws -> Outcome {
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        let base = "\(directory)/command-\(number)"
        if let input { try input.write(to: URL(filePath: "\(base).in")) }
        let child = try Child(
            arguments,
            environment: environment,
            input: .file(input == nil ? "/dev/null" : "\(base).in"),
            output: "\(base).out",
            errors: "\(base).err"
        )
        let what = "end of \(arguments.joined(separator: " "))"
        let code = try await eventually(what, within: limit, every: .milliseconds(5)) {
            child.exitCode
        }
        let outcome = Outcome(
            exitCode: code,
            output: try Data(contentsOf: URL(filePath: "\(base).out")),
            errors: try String(contentsOfFile: "\(base).err", encoding: .utf8)
        )
        for end in ["in", "out", "err"] where input != nil || end != "in" {
            try FileManager.default.removeItem(atPath: "\(base).\(end)")
        }
        return outcome
    }

    /// The last lines of every log, for whoever looks for the reason of a failure.
    private func showLogs() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in names.sorted() where name.hasSuffix(".log") {
            // A log that cannot be read is not shown; the failure itself is told in any case.
            let text = try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
            let lines = (text ?? "").split(separator: "\n").suffix(30)
            Figure.say("\(name):\n" + lines.map { "    \($0)\n" }.joined())
        }
    }
}

/// How a program ended and what it said.
struct Outcome: Sendable {
    let exitCode: Int32
    let output: Data
    let errors: String
}
