import Foundation

/// A process of `parley open tictactoe` in the conversation `games`, whose input stays silent.
struct Terminal: Sendable {
    private let files: TestDirectory
    private let process: Process
    /// The input, which is held open so that it does not end.
    private let input = Pipe()

    init(of node: NodeProcess) throws {
        files = try TestDirectory()
        process = Process()
        process.executableURL = Program.url
        process.arguments = ["open", "tictactoe", "-c", "games"]
        process.environment = Program.clean.merging(["PARLEY_DATA": node.data]) { $1 }
        process.standardInput = input
        process.standardOutput = try files.handle("output")
        process.standardError = try files.handle("errors")
        try process.run()
    }

    var text: String {
        get throws { String(decoding: try files.contents("output"), as: UTF8.self) }
    }

    var errorText: String {
        get throws { String(decoding: try files.contents("errors"), as: UTF8.self) }
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Whether a signal ended the process; if so, `status` is its number.
    var wasSignalled: Bool { !process.isRunning && process.terminationReason == .uncaughtSignal }

    /// The exit status, nil while the process runs.
    var status: Int32? { process.isRunning ? nil : process.terminationStatus }
}
