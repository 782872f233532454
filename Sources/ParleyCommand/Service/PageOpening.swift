import Logging
import ParleyAPI
import ParleyWeb
import Synchronization

/// Whether and where a node serves its page.
struct PageChoice: Sendable {
    let isServed: Bool
    /// Nil for the usual address, or the next free port.
    let address: PageAddress?
}

/// Runs the page's server, and reports whether it could listen.
final class PageOpening: Sendable {
    private let server: PageServer
    private let isWanted: Bool
    private let logger: Logger
    private let found = Mutex<Problem?>(nil)
    private let decision: AsyncStream<Void>
    private let decide: AsyncStream<Void>.Continuation

    /// Makes the opening of a page.
    ///
    /// `isWanted` means that a person chose the address. Otherwise a node without a page is better
    /// than no node.
    init(server: PageServer, isWanted: Bool, logger: Logger) {
        self.server = server
        self.isWanted = isWanted
        self.logger = logger
        (decision, decide) = AsyncStream.makeStream(of: Void.self)
    }

    /// Serves until the task is cancelled or the service is told to shut down.
    func run() async throws {
        defer { decide.finish() }
        do {
            try await server.run { [decide] in decide.finish() }
        } catch let problem as Problem {
            found.withLock { $0 = isWanted ? problem : nil }
            if !isWanted { logger.warning("no page: \(problem.message)") }
        }
    }

    /// Returns when the server listens or cannot.
    func waitUntilDecided() async {
        for await _ in decision {}
    }

    /// Why the page cannot be served where a person wants it.
    var problem: Problem? { found.withLock { $0 } }
}
