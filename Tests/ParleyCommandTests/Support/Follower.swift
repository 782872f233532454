import Foundation
import ParleyAPI
import TestSupport

/// A process of `parley transcript --follow --json` on the conversation `games`.
struct Follower: Sendable {
    private let files: TestDirectory
    private let child: Child

    init(of node: NodeProcess, _ more: String...) throws {
        files = try TestDirectory()
        child = try Child(
            [Program.url.path, "transcript", "-c", "games", "--follow", "--json"] + more,
            environment: Program.clean.merging(["PARLEY_DATA": node.data]) { $1 },
            output: files.path("follow"),
            errors: files.path("problems")
        )
    }

    /// The entries that it has printed so far.
    func entries() throws -> [TranscriptEntry] {
        let data = try files.contents("follow")
        let whole = data.lastIndex(of: 0x0A).map { data[...$0] } ?? Data()
        return try whole.split(separator: 0x0A).map {
            try JSON.decode(TranscriptEntry.self, from: $0)
        }
    }

    /// The number of lines that it has printed so far, without parsing them.
    func lineCount() throws -> Int { try files.contents("follow").count { $0 == 0x0A } }

    /// Suspends the process.
    func pause() { child.signal(SIGSTOP) }

    /// Resumes the process, unless it has ended.
    func resume() { child.signal(SIGCONT) }

    /// Waits until the process ends by itself; returns its status and the problem that it printed.
    func ended() async throws -> (status: Int32, problem: Problem) {
        let status = await child.end()
        let problem = try JSON.decode(Problem.self, from: files.contents("problems"))
        return (status, problem)
    }

    func end() { child.signal(SIGTERM) }
}
