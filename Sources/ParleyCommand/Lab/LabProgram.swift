import CLab
import Foundation
import ParleyAPI

/// Runs programs of the lab to their end.
enum LabProgram {
    struct Outcome: Sendable {
        let exitCode: Int32
        let output: String
        let errors: String
    }

    /// The path of the executable of this process.
    static var ownPath: String {
        // Without /proc the lab does not work in any case.
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }

    /// The environment of nodes and scripts: without variables that steer nodes, with a small
    /// reserve.
    static var environment: [String: String] {
        let strange = ["PARLEY_DATA", "DBUS_SYSTEM_BUS_ADDRESS", "NOTIFY_SOCKET"]
        let own = ProcessInfo.processInfo.environment.filter { !strange.contains($0.key) }
        return own.merging(["PARLEY_LIMITS_FREE_SPACE": "1MiB"]) { $1 }
    }

    /// The time limit for a program of the lab.
    static let patience = Duration.seconds(60)

    /// Runs a program to its end; its output goes through files in `scratch`.
    ///
    /// - Throws: `planFailed` if it did not end in `limit`.
    static func run(
        _ words: [String],
        scratch: URL,
        environment: [String: String] = environment,
        within limit: Duration = patience
    ) async throws -> Outcome {
        let name = UUID().uuidString
        let files = ["out", "err"].map { scratch.appending(path: "\(name).\($0)") }
        // Files that cannot be removed are removed with the directory.
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        let child = try ChildProgram(
            words,
            environment: environment,
            output: files[0].path,
            errors: files[1].path,
            failure: .labFailed
        )
        let code = await withTaskCancellationHandler {
            await child.end(within: limit)
        } onCancel: {
            child.signalGroup(SIGKILL)
        }
        try Task.checkCancellation()
        guard let code else {
            child.signalGroup(SIGKILL)
            _ = await child.end(within: patience)
            throw Problem(.planFailed, "\(words[0]) did not end in \(limit).")
        }
        return Outcome(
            exitCode: code,
            output: String(decoding: try Data(contentsOf: files[0]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
        )
    }
}

/// The script `lab.sh`, and the prefix of one lab.
struct LabScript: Sendable {
    let path: String
    let prefix: String
    let scratch: URL

    /// Writes the script, which the executable contains, to a private folder.
    init(prefix: String, in folder: URL) throws {
        self.prefix = prefix
        scratch = folder
        let file = folder.appending(path: "lab.sh")
        try Data(bytes: lab_script(), count: lab_script_count()).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
        path = file.path
    }

    /// Runs a verb of the script.
    ///
    /// - Throws: a `Problem` with the output of the script.
    @discardableResult
    func run(verb: String, _ words: [String]) async throws -> String {
        let command = [path, "-p", prefix, verb] + words
        let outcome = try await LabProgram.run(command, scratch: scratch)
        guard outcome.exitCode == 0 else {
            let said = outcome.errors.trimmingCharacters(in: .whitespacesAndNewlines)
            throw Problem(.labFailed, "lab.sh \(verb) \(words.joined(separator: " ")): \(said)")
        }
        return outcome.output
    }

    /// Runs a verb of the script.
    @discardableResult
    func run(_ verb: String, _ words: String...) async throws -> String {
        try await run(verb: verb, words)
    }
}
