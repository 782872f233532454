import Foundation
import ParleyAPI

/// A node of the demo: a child process of this program, and a client for it.
actor DemoNode {
    nonisolated let name: String
    nonisolated let client: ControlClient
    private let servesPage: Bool
    private let directory: URL
    private let process = Process()
    /// The child stops when this pipe ends, which happens also if this process crashes.
    private let leash = Pipe()
    private let answers = Pipe()
    private var exits: AsyncStream<Void>?

    /// The time limit for a node to become ready, and to stop.
    private static let patience = Duration.seconds(15)

    /// Makes a node that is not started.
    init(name: String, directory: URL, servesPage: Bool) {
        self.name = name
        self.servesPage = servesPage
        self.directory = directory
        client = ControlClient(dataDirectory: directory)
        // If a child process inherited an end of a leash, closing the leash would have no effect.
        for pipe in [leash, answers] {
            for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
        }
    }

    /// Starts the process and waits until it is ready.
    func start() async throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: program)
        process.arguments = [
            "node", "--json", "--until-input-ends", "--name", name,
            "--data", directory.path, "--listen", "0.0.0.0:0", "--listen", "[::]:0",
        ]
        if !servesPage { process.arguments?.append("--no-web") }
        var environment = ProcessInfo.processInfo.environment
        environment["NOTIFY_SOCKET"] = nil
        process.environment = environment
        process.standardInput = leash
        process.standardOutput = answers
        process.standardError = try PrivateFiles.file(at: logFile.path)
        let (exits, exit) = AsyncStream.makeStream(of: Void.self)
        self.exits = exits
        process.terminationHandler = { _ in exit.finish() }
        try process.run()
        try await waitUntilReady()
    }

    private var logFile: URL { directory.appendingPathExtension("log") }

    private func waitUntilReady() async throws {
        let input = LineInput(descriptor: answers.fileHandleForReading.fileDescriptor)
        let line = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask { try await input.next() }
            group.addTask { [process] in
                try await Task.sleep(for: Self.patience)
                // The output ends with the process, so the other task ends too.
                process.terminate()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        // A line of another form is no word of a node that is ready.
        let ready = line.flatMap { try? JSON.decode(ReadyDocument.self, from: Data($0)) }
        guard ready != nil else { throw Problem(.demoFailed, "The node \(name) did not start.") }
    }

    /// Stops the process in any case.
    func stop() async {
        guard let exits else { return }
        // The closed leash stops a node; the signal is for one that does not read its input.
        try? leash.fileHandleForWriting.close()
        guard process.isRunning else { return }
        process.terminate()
        let killer = Task { [process] in
            try await Task.sleep(for: Self.patience)
            kill(process.processIdentifier, SIGKILL)
        }
        for await _ in exits {}
        killer.cancel()
    }

    /// The last lines of its log.
    func lastLogLines(_ count: Int) -> [String] {
        guard let text = try? String(contentsOf: logFile, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").suffix(count).map(String.init)
    }
}

extension DemoNode {
    nonisolated func status() async throws -> StatusDocument {
        try await client.get("status", as: StatusDocument.self)
    }

    nonisolated func transcript() async throws -> [EntryDocument] {
        try await client.get("conversations/demo/transcript", as: TranscriptDocument.self).entries
    }

    /// This node as a participant of the conversation.
    nonisolated func participant() async throws -> String {
        let all = try await client.get("conversations", as: [ConversationDocument].self)
        let device = try await status().device
        guard
            let own = all.first(where: { $0.name == "demo" })?.participants
                .first(where: { $0.device == device })
        else { throw Problem(.demoFailed, "\(name) is not in the conversation.") }
        return own.participant
    }
}
