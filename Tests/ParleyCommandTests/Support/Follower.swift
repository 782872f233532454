import Foundation
import ParleyWeb

/// `parley transcript --follow --json` on the conversation `games`, until it is ended.
struct Follower: Sendable {
    private let files: TestDirectory
    private let process: Process

    init(of node: NodeProcess) throws {
        files = try TestDirectory()
        process = Process()
        process.executableURL = Program.url
        process.arguments = ["transcript", "-c", "games", "--follow", "--json"]
        process.environment = Program.clean.merging(["PARLEY_DATA": node.data]) { $1 }
        process.standardOutput = try files.handle("follow")
        process.standardInput = FileHandle.nullDevice
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

    func end() {
        process.terminate()
    }
}
