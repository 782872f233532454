import ArgumentParser
import ParleyAPI

/// A command that sends requests to a running node.
protocol NodeRequestCommand: AsyncParsableCommand {
    var common: CommonOptions { get }

    /// Runs the command.
    func run(_ client: ControlClient) async throws
}

extension NodeRequestCommand {
    func run() async throws {
        let client = ControlClient(
            dataDirectory: common.dataDirectory,
            patience: Patience(seconds: common.seconds),
            origin: common.program.dataOrigin
        )
        do {
            try await run(client)
        } catch let problem as Problem {
            throw await problem.suggestingName(client).ofNode(data: common.data)
        }
    }
}
