import Foundation
import TestSupport

/// A process of an interactive command, whose input is silent until the test types.
final class Terminal: Sendable {
    private let files: TestDirectory
    private let child: Child
    /// The input, which is held open so that it does not end.
    private let typing: FileHandle

    /// Starts the command with a node: by default `parley open tictactoe` in the conversation
    /// `games`.
    init(
        of node: NodeProcess,
        _ arguments: [String] = ["open", "tictactoe", "-c", "games"]
    ) throws {
        files = try TestDirectory()
        let input = Pipe()
        typing = input.fileHandleForWriting
        child = try Child(
            [Program.url.path] + arguments,
            environment: Program.clean.merging(["PARLEY_DATA": node.data]) { $1 },
            input: .descriptor(input.fileHandleForReading.fileDescriptor),
            output: files.path("output"),
            errors: files.path("errors")
        )
    }

    var text: String {
        get throws { String(decoding: try files.contents("output"), as: UTF8.self) }
    }

    var errorText: String {
        get throws { String(decoding: try files.contents("errors"), as: UTF8.self) }
    }

    /// Types a line.
    func type(_ line: String) throws {
        try typing.write(contentsOf: Data((line + "\n").utf8))
    }

    func signal(_ number: Int32) { child.signal(number) }

    /// The signal that ended the process; nil while it runs, and if it exited.
    var endingSignal: Int32? { child.endingSignal }

    /// The exit code, or 128 plus the signal's number; nil while the process runs.
    var status: Int32? { child.exitCode }
}
