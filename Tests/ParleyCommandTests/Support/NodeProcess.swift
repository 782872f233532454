import Foundation
import ParleyAPI
import TestSupport
import Testing

/// A running `parley node` without discovery, on a free port of the loopback interface.
actor NodeProcess {
    let data: String
    private let program: URL
    private(set) var ready: ReadyNode?
    private let child: Child
    private let files: TestDirectory

    /// Starts the node and waits until it is ready.
    init(
        data: String,
        name: String = "node",
        listen: String = "127.0.0.1:0",
        peers: [String] = [],
        usesDiscovery: Bool = false,
        more: [String] = [],
        environment: [String: String] = [:],
        program: URL = Program.url
    ) async throws {
        self.data = data
        self.program = program
        files = try TestDirectory()
        let arguments = [
            "node", "--json", "--no-web", "--listen", listen, "--name", name, "--data", data,
        ]
        let options = (usesDiscovery ? [] : ["--no-discovery"]) + more
        child = try Child(
            [program.path] + arguments + peers.flatMap { ["--peer", $0] } + options,
            environment: Program.clean.merging(environment) { $1 },
            output: files.path("output"),
            errors: files.path("errors")
        )
        ready = try await eventually("the ready line") { [files] in
            guard let line = try files.contents("output").split(separator: 0x0A).first,
                try files.contents("output").last == 0x0A
            else { return nil }
            return try JSON.decode(ReadyNode.self, from: line)
        }
    }

    nonisolated var processID: Int32 { child.pid }

    var address: String {
        get throws { try #require(ready?.addresses.first) }
    }

    var log: String {
        get throws { String(decoding: try files.contents("errors"), as: UTF8.self) }
    }

    var outputText: String {
        get throws { String(decoding: try files.contents("output"), as: UTF8.self) }
    }

    /// Runs a command with this node.
    nonisolated func run(_ arguments: String..., input: Data = Data()) async throws
        -> Program.Finished
    {
        try await Program.run(arguments + ["--data", data], input: input, program: program)
    }

    /// Runs a command that must succeed, and decodes its document.
    nonisolated func ask<Document: Decodable & Sendable>(
        _ type: Document.Type,
        _ arguments: String...
    ) async throws -> Document {
        let finished = try await Program.run(
            arguments + ["--json", "--data", data],
            program: program
        )
        #expect(finished.status == 0, "\(arguments): \(finished.errorText)")
        return try finished.document(type)
    }

    /// Sends a signal.
    func signal(_ number: Int32) { child.signal(number) }

    /// Sends a signal and waits for the end of the process.
    @discardableResult
    func end(with signal: Int32 = SIGTERM) async -> Int32 {
        child.signal(signal)
        return await child.end()
    }
}
