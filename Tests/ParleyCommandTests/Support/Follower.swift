import Foundation
import ParleyWeb

/// `parley transcript --follow --json` on the conversation `games`, until it is ended.
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

    /// What it has printed so far.
    func entries() throws -> [EntryDocument] {
        let data = try files.contents("follow")
        let whole = data.lastIndex(of: 0x0A).map { data[...$0] } ?? Data()
        return try whole.split(separator: 0x0A).map {
            try JSON.decode(EntryDocument.self, from: $0)
        }
    }

    /// How many entries that is, without looking at them.
    func lineCount() throws -> Int { try files.contents("follow").count { $0 == 0x0A } }

    /// Does not read any more.
    func pause() { kill(process.processIdentifier, SIGSTOP) }

    /// Reads again, if it is there.
    func resume() {
        if process.isRunning { kill(process.processIdentifier, SIGCONT) }
    }

    /// Waits until it ends by itself: its status, and what it said of it.
    func ended() async throws -> (status: Int32, problem: Problem) {
        for await _ in exits {}
        let problem = try JSON.decode(Problem.self, from: files.contents("problems"))
        return (process.terminationStatus, problem)
    }

    func end() {
        process.terminate()
    }
}
