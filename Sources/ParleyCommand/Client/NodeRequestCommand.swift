import ArgumentParser

/// A command that asks a running node.
protocol NodeRequestCommand: AsyncParsableCommand {
    var common: CommonOptions { get }

    /// Does it.
    func run(_ client: ControlClient) async throws
}

extension NodeRequestCommand {
    func run() async throws {
        try await run(ControlClient(dataDirectory: common.dataDirectory))
    }
}
