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
        let directory = parent ?? Self.temporary()
        let nodes = ["alice", "bob"].map { name in
            DemoNode(
                name: name,
                directory: directory.appending(path: name),
                servesPage: !isOnce
            )
        }
        var failure: (any Error)?
        do {
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true
            )
            try await cancelWhenGracefulShutdown {
                try await play(nodes[0], nodes[1])
            }
        } catch {
            failure = error
        }
        // A demo that Ctrl-C ends has not failed.
        let wasStopped = Task.isShuttingDownGracefully || failure is CancellationError
        if let error = failure, !wasStopped { failure = await explained(error, nodes) }
        for node in nodes { await node.stop() }
        if parent == nil {
            // Files that cannot be removed are in the temporary directory.
            try? FileManager.default.removeItem(at: directory)
        }
        if let failure, !wasStopped { throw failure }
    }

    private func play(_ alice: DemoNode, _ bob: DemoNode) async throws {
        var screen = DemoScreen(asJSON: asJSON)
        screen.say("Starting two nodes…")
        async let first: Void = alice.start()
        async let second: Void = bob.start()
        _ = try await (first, second)
        let ready = ContinuousClock.now
        let meeting = DemoMeeting(alice: alice, bob: bob)
        try await meeting.meet(screen)
        if !isOnce {
            try await meeting.shareConversation(named: "games")
            screen.pages = await [alice.page, bob.page].compactMap(\.self)
            screen.sayPages(names: [alice.name, bob.name])
            try await openPages(of: [alice, bob], screen)
        }
        let match = DemoMatch(players: [alice, bob], screen: screen, ready: ready)
        repeat {
            try await match.playGame(pause: isOnce ? .milliseconds(100) : .milliseconds(1_200))
            if !isOnce { try await Task.sleep(for: .seconds(2)) }
        } while !isOnce
        try await match.finish()
    }

    /// Opens the pages by links of their own, so that the printed ones can still be used.
    private func openPages(of nodes: [DemoNode], _ screen: DemoScreen) async throws {
        guard let browser else { return }
        for node in nodes where await node.page != nil {
            let made = try await node.client.makePageLink()
            guard browser.open(made.link) else {
                return screen.say("No browser could be started; the links above open the pages.")
            }
        }
        screen.say("Both pages open in the browser of this machine.")
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
        return Problem(.demoFailed, problem.message, hint: problem.hint)
    }

    private static func temporary() -> URL {
        FileManager.default.temporaryDirectory
            .appending(path: "parley-demo-\(UUID().uuidString.prefix(8))")
    }
}
