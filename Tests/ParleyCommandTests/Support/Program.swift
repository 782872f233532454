import Foundation
import ParleyAPI
import TestSupport

/// The `parley` executable.
enum Program {
    /// The URL of the executable, which is built next to the tests.
    static let url = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "parley")

    /// The result of a command.
    struct Finished: Sendable {
        let status: Int32
        let output: Data
        let errors: Data

        var text: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errors, as: UTF8.self) }

        func document<Document: Decodable>(_ type: Document.Type) throws -> Document {
            try JSON.decode(type, from: output)
        }

        /// The documents of the output, one per line.
        func documents<Document: Decodable>(_ type: Document.Type) throws -> [Document] {
            try output.split(separator: 0x0A).map { try JSON.decode(type, from: $0) }
        }

        func problem() throws -> Problem { try JSON.decode(Problem.self, from: errors) }
    }

    /// Runs the executable to its end.
    static func run(
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        program: URL = url
    ) async throws -> Finished {
        let files = try TestDirectory()
        let child = try Child(
            [program.path] + arguments,
            environment: clean.merging(environment) { $1 },
            input: .file(try files.write("input", input)),
            output: files.path("output"),
            errors: files.path("errors")
        )
        return Finished(
            status: await child.end(),
            output: try files.contents("output"),
            errors: try files.contents("errors")
        )
    }

    /// The environment of this process without the variables that the program reads.
    static let clean = ProcessInfo.processInfo.environment.filter { name, _ in
        !["NOTIFY_SOCKET", "XDG_STATE_HOME"].contains(name) && !name.hasPrefix("PARLEY_")
    }
}
