import Foundation
import ParleyWeb

/// Programs that a run on the lab uses.
enum LabProgram {
    struct Outcome: Sendable {
        let exitCode: Int32
        let output: String
        let errors: String
    }

    /// The file that this process runs.
    static var ownPath: String {
        // Without /proc there is no lab either.
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }

    /// How long a program of the lab may take.
    private static let patience = Duration.seconds(60)

    /// Runs a program to its end; what it prints goes through files in `scratch`.
    static func run(_ words: [String], scratch: URL) async throws -> Outcome {
        let name = UUID().uuidString
        let files = ["out", "err"].map { scratch.appending(path: "\(name).\($0)") }
        // What is left of them goes with the directory.
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        let child = try LabChild(words, output: files[0].path, errors: files[1].path)
        guard let code = await child.end(within: patience) else {
            child.signal(SIGKILL)
            throw Problem("labFailed", "\(words.joined(separator: " ")) does not end.")
        }
        return Outcome(
            exitCode: code,
            output: try String(contentsOf: files[0], encoding: .utf8),
            errors: try String(contentsOf: files[1], encoding: .utf8)
        )
    }
}

/// `lab.sh`, and the prefix of one lab.
struct LabScript: Sendable {
    let path: String
    let prefix: String
    let scratch: URL

    private static let place = "Tests/Lab/lab.sh"

    /// Where the script is: as said, else upward from the working directory or the executable.
    ///
    /// - Throws: a `Problem` that says where it was looked for.
    static func find(option: String?) throws(Problem) -> String {
        let said = option ?? ProcessInfo.processInfo.environment["PARLEY_LAB"]
        if let said, !said.isEmpty {
            guard FileManager.default.isExecutableFile(atPath: said) else {
                throw Problem(
                    "noLab",
                    "\(said) is no executable file.",
                    hint: "Say where lab.sh is: --lab PATH, or PARLEY_LAB."
                )
            }
            return URL(filePath: said).standardizedFileURL.path
        }
        let starts = [
            URL(filePath: FileManager.default.currentDirectoryPath),
            URL(filePath: LabProgram.ownPath).deletingLastPathComponent(),
        ]
        for start in starts {
            var folder = start
            while folder.path != "/" {
                let candidate = folder.appending(path: place).path
                if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
                folder.deleteLastPathComponent()
            }
        }
        throw Problem(
            "noLab",
            "There is no \(place) above \(starts.map(\.path).joined(separator: " or ")).",
            hint: "Say where lab.sh is: --lab PATH, or PARLEY_LAB."
        )
    }

    /// Runs a verb.
    ///
    /// - Throws: a `Problem` with what the script says.
    @discardableResult
    func run(verb: String, _ words: [String]) async throws -> String {
        let command = [path, "-p", prefix, verb] + words
        let outcome = try await LabProgram.run(command, scratch: scratch)
        guard outcome.exitCode == 0 else {
            let said = outcome.errors.trimmingCharacters(in: .whitespacesAndNewlines)
            throw Problem("labFailed", "lab.sh \(verb) \(words.joined(separator: " ")): \(said)")
        }
        return outcome.output
    }

    /// Runs a verb.
    @discardableResult
    func run(_ verb: String, _ words: String...) async throws -> String {
        try await run(verb: verb, words)
    }
}
