import Foundation
import ParleyAPI

/// A process of `parley transcript --follow --json` on the conversation `games`.
struct Follower: Sendable {
    private let files: TestDirectory
    private let process: Process
    private let exits: AsyncStream<Void>

    init(of node: NodeProcess) throws {
        files = try TestDirectory()
        process = Process()
        process.executableURL = Program.url
        process.arguments = ["transcript", "-c", "games", "--follow", "--json"]
        process.environment = Program.clean.merging(["PARLEY_DATA": node.data]) { $1 }
        process.standardOutput = try files.handle("follow")
        process.standardError = try files.handle("problems")
        process.standardInput = FileHandle.nullDevice
        let (exits, exit) = AsyncStream.makeStream(of: Void.self)
        self.exits = exits
        process.terminationHandler = { _ in exit.finish() }
        try process.run()
    }

    /// The entries that it has printed so far.
    func entries() throws -> [EntryDocument] {
        let data = try files.contents("follow")
        let whole = data.lastIndex(of: 0x0A).map { data[...$0] } ?? Data()
        return try whole.split(separator: 0x0A).map {
            try JSON.decode(EntryDocument.self, from: $0)
        }
    }

    /// The number of lines that it has printed so far, without parsing them.
    func lineCount() throws -> Int { try files.contents("follow").count { $0 == 0x0A } }

    /// Suspends the process.
    func pause() { kill(process.processIdentifier, SIGSTOP) }

    /// Resumes the process, if it has not ended.
    func resume() {
        if process.isRunning { kill(process.processIdentifier, SIGCONT) }
    }

    /// Waits until the process ends by itself; returns its status and the problem that it printed.
    func ended() async throws -> (status: Int32, problem: Problem) {
        for await _ in exits {}
        let problem = try JSON.decode(Problem.self, from: files.contents("problems"))
        return (process.terminationStatus, problem)
    }

    func end() {
        process.terminate()
    }
}
