import Foundation
import TestSupport

/// A process of `parley open tictactoe` in the conversation `games`, whose input stays silent.
final class Terminal: Sendable {
    private let files: TestDirectory
    private let child: Child
    /// The input, which is held open so that it does not end.
    private let typing: FileHandle

    init(of node: NodeProcess) throws {
        files = try TestDirectory()
        let input = Pipe()
        typing = input.fileHandleForWriting
        child = try Child(
            [Program.url.path, "open", "tictactoe", "-c", "games"],
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

    func signal(_ number: Int32) { child.signal(number) }

    /// The signal that ended the process; nil while it runs, and if it exited.
    var endingSignal: Int32? { child.endingSignal }

    /// The exit code, or 128 plus the signal's number; nil while the process runs.
    var status: Int32? { child.exitCode }
}
