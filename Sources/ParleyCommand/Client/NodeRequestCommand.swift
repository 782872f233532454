import ArgumentParser

/// A command that asks a running node.
protocol NodeRequestCommand: AsyncParsableCommand {
    var common: CommonOptions { get }

    /// Does it; the client is closed afterwards.
    func run(_ client: ControlClient) async throws
}

extension NodeRequestCommand {
    func run() async throws {
        let client = ControlClient(dataDirectory: common.dataDirectory)
        do {
            try await run(client)
            await client.close()
        } catch {
            await client.close()
            throw error
        }
    }
}
