import Foundation
import ParleyAPI
import ServiceLifecycle

/// The demo as a service, which always stops its nodes.
struct DemoService: Service {
    let isOnce: Bool
    let asJSON: Bool
    /// Opens the pages; nil leaves that to the person.
    let browser: DesktopBrowser?
    /// The directory for the data of the nodes; nil for a temporary one that is removed at the end.
    let parent: URL?

    func run() async throws {
        try refuseEarlierData()
        let directory = try parent ?? PrivateFiles.folder("parley-demo")
        let nodes = Self.names.map { name in
            DemoNode(
                name: name,
                directory: directory.appending(path: name),
                servesPage: !isOnce
            )
        }
        var failure: (any Error)?
        do {
            try make(directory)
            try await cancelWhenGracefulShutdown {
                try await play(nodes[0], nodes[1])
            }
        } catch {
            failure = error
        }
        // A demo that Ctrl-C ends has not failed.
        let wasStopped = Task.isShuttingDownGracefully || failure is CancellationError
        if let error = failure, !wasStopped { failure = await explained(error, nodes) }
        await withDiscardingTaskGroup { group in
            for node in nodes { group.addTask { await node.stop() } }
        }
        if parent == nil {
            // Files that cannot be removed are in the temporary directory.
            try? FileManager.default.removeItem(at: directory)
        }
        if let failure, !wasStopped { throw failure }
    }

    /// The names of the nodes, and of their directories.
    private static let names = ["alice", "bob"]

    private func make(_ directory: URL) throws(Problem) {
        do {
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true
            )
        } catch {
            throw Problem(
                .dataDirectoryUnusable,
                "\(directory.path) cannot be made a directory: \(OutputFile.reason(error)).",
                hint: "Choose another directory with --data."
            )
        }
    }

    /// Refuses a directory with earlier data, in which the conversation exists already.
    private func refuseEarlierData() throws(Problem) {
        for name in Self.names {
            guard let path = parent?.appending(path: name).path,
                FileManager.default.fileExists(atPath: path)
            else { continue }
            throw Problem(
                .demoFailed,
                "\(path) has data of an earlier demo.",
                hint: "Remove it, or choose another directory with --data."
            )
        }
    }

    private func play(_ alice: DemoNode, _ bob: DemoNode) async throws {
        let screen = DemoScreen(asJSON: asJSON)
        screen.say("Starting two nodes…")
        async let first: Void = alice.start()
        async let second: Void = bob.start()
        _ = try await (first, second)
        let ready = ContinuousClock.now
        let meeting = DemoMeeting(alice: alice, bob: bob)
        try await meeting.meet(screen)
        let match = DemoMatch(players: [alice, bob], screen: screen, ready: ready)
        try await match.playGame(pause: .milliseconds(isOnce ? 100 : 400))
        try await match.finish()
        guard !isOnce else { return }
        // From here on only people move: the titles of the pages are theirs.
        try await meeting.shareConversation(named: Self.conversation)
        screen.invite([alice.name, bob.name], conversation: Self.conversation)
        let folder = try PrivateFiles.folder("parley-open")
        // A browser may take a while to read the files in the folder.
        defer { try? FileManager.default.removeItem(at: folder) }
        await letPhonesIn(to: alice, screen)
        try await openPages(of: [alice, bob], in: folder, screen)
        try await printLinks(to: [alice, bob], screen)
        for await _ in Self.linesTyped() { try await printLinks(to: [alice, bob], screen) }
    }

    /// The conversation in which the person plays.
    private static let conversation = "games"

    /// Offers phones a link; the demo goes on without.
    private func letPhonesIn(to node: DemoNode, _ screen: DemoScreen) async {
        do {
            let path = PathText.conversation(Self.conversation) + "/guests"
            let document = try await node.client.post(
                path,
                GuestsRequest(),
                as: GuestsDocument.self
            )
            screen.phones(document, of: node.name)
        } catch {
            screen.say("No phones: \(FailureReport.problem(error).message)")
        }
    }

    /// Opens the pages by separate links, so that the printed links stay usable.
    private func openPages(of nodes: [DemoNode], in folder: URL, _ screen: DemoScreen) async throws
    {
        guard let browser else { return }
        for link in try await links(to: nodes) where !browser.open(link, through: folder) {
            return screen.say("No browser could be started.")
        }
        screen.say("Both pages open in the browser of this machine. The links for others:")
    }

    private func printLinks(to nodes: [DemoNode], _ screen: DemoScreen) async throws {
        screen.links(try await links(to: nodes), names: nodes.map(\.name))
    }

    private func links(to nodes: [DemoNode]) async throws -> [String] {
        var links: [String] = []
        for node in nodes {
            links.append(try await node.client.makePageLink(to: Self.conversation).link)
        }
        return links
    }

    /// The lines of standard input; the stream goes on after its end, until it is cancelled.
    ///
    /// A process in the background of a terminal gets none, because reading would stop it.
    private static func linesTyped() -> AsyncStream<Void> {
        let (lines, line) = AsyncStream.makeStream(of: Void.self)
        guard isatty(STDIN_FILENO) == 0 || tcgetpgrp(STDIN_FILENO) == getpgrp() else {
            return lines
        }
        let reading = Task {
            let input = LineInput(descriptor: STDIN_FILENO)
            // Input that cannot be read is like input that has ended.
            while (try? await input.next()) != nil { line.yield() }
        }
        line.onTermination = { _ in reading.cancel() }
        return lines
    }

    /// The error as a problem of the demo; also prints the last log lines of the nodes.
    private func explained(_ error: any Error, _ nodes: [DemoNode]) async -> Problem {
        let problem = FailureReport.problem(error)
        if !asJSON {
            for node in nodes {
                let lines = await node.lastLogLines(6)
                guard !lines.isEmpty else { continue }
                Output.error.line("\(node.name) logged:")
                for line in lines { Output.error.line("  " + TerminalText.safe(line)) }
            }
        }
        // Before the nodes ran, the error is the user's.
        guard problem.kind != .dataDirectoryUnusable else { return problem }
        return Problem(.demoFailed, problem.message, hint: problem.hint)
    }
}
