import Foundation

/// `parley open tictactoe` in the conversation `games`, before which somebody sits and is silent.
struct Terminal: Sendable {
    private let files: TestDirectory
    private let process: Process
    /// Held open, so that the input has no end.
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

    /// Whether a signal ended it, whose number `status` is then.
    var wasSignalled: Bool { !process.isRunning && process.terminationReason == .uncaughtSignal }

    /// Nil while it runs.
    var status: Int32? { process.isRunning ? nil : process.terminationStatus }
}
