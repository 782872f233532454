import Foundation
import ParleyAPI
import ParleyNode

/// A node of the demo: a child process of this program, and a client for it.
actor DemoNode {
    nonisolated let name: String
    nonisolated let client: ControlClient
    private let servesPage: Bool
    private let directory: URL
    private var process: ChildProgram?
    /// The end of this pipe stops the child, even after a crash of this process.
    private let leash = Pipe()

    /// The time limit for a node to become ready, and to stop.
    private static let patience = Duration.seconds(15)

    /// Makes a node that is not started.
    init(name: String, directory: URL, servesPage: Bool) {
        self.name = name
        self.servesPage = servesPage
        self.directory = directory
        client = ControlClient(dataDirectory: directory)
        // If a child process inherited an end of a leash, closing the leash would have no effect.
        for handle in [leash.fileHandleForReading, leash.fileHandleForWriting] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Starts the process and waits until it is ready.
    func start() async throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let output = directory.appendingPathExtension("ready")
        for file in [output, logFile] { try PrivateFiles.file(at: file.path).close() }
        // If removing fails, the file stays in the temporary directory, or beside the log.
        defer { try? FileManager.default.removeItem(at: output) }
        let process = try ChildProgram(
            [
                program, "node", "--json", "--until-input-ends", "--name", name,
                "--data", directory.path, "--listen", "0.0.0.0:0", "--listen", "[::]:0",
            ] + (servesPage ? [] : ["--no-web"]),
            environment: ProcessInfo.processInfo.environment.filter { $0.key != "NOTIFY_SOCKET" },
            input: .descriptor(leash.fileHandleForReading.fileDescriptor),
            output: output.path,
            errors: logFile.path,
            failure: .demoFailed
        )
        self.process = process
        guard try await process.readyNode(output: output, within: Self.patience) != nil else {
            throw Problem(.demoFailed, "The node \(name) did not start.")
        }
    }

    private var logFile: URL { directory.appendingPathExtension("log") }

    /// Stops the process in any case.
    func stop() async {
        // The closed leash stops a node; the signal is for a node that does not read its input.
        try? leash.fileHandleForWriting.close()
        guard let process else { return }
        process.signal(SIGTERM)
        guard await process.end(within: Self.patience) == nil else { return }
        process.signal(SIGKILL)
        _ = await process.end(within: Self.patience)
    }

    /// The last lines of the node's log.
    func lastLogLines(_ count: Int) -> [String] {
        guard let text = try? String(contentsOf: logFile, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").suffix(count).map(String.init)
    }
}

extension DemoNode {
    nonisolated func status() async throws -> NodeStatus {
        try await client.get("status", as: NodeStatus.self)
    }

    nonisolated func transcript() async throws -> [TranscriptEntry] {
        try await client.get("conversations/demo/transcript", as: TranscriptPage.self).entries
    }

    /// This node as a participant of the conversation.
    nonisolated func participant() async throws -> String {
        let all = try await client.get("conversations", as: [Conversation].self)
        let device = try await status().device
        guard
            let own = all.first(where: { $0.name == "demo" })?.participants
                .first(where: { $0.device == device })
        else { throw Problem(.demoFailed, "\(name) is not in the conversation.") }
        return own.id.uuidString
    }
}
