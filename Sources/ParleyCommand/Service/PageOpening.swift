import Logging
import ParleyAPI
import ParleyWeb
import Synchronization

/// Whether a node serves its page, and where.
struct PageChoice: Sendable {
    let isServed: Bool
    /// Nil for the usual address, or the next free port.
    let address: PageAddress?
}

/// Runs the page's server, and tells whether it could listen.
final class PageOpening: Sendable {
    private let server: PageServer
    private let isWanted: Bool
    private let logger: Logger
    private let found = Mutex<Problem?>(nil)
    private let decision: AsyncStream<Void>
    private let decide: AsyncStream<Void>.Continuation

    /// Makes the opening of a page.
    ///
    /// `isWanted` says that a person asked for its address. If nobody did, a node without its page
    /// is better than none.
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

    /// Returns when the server listens or has failed to.
    func waitUntilDecided() async {
        for await _ in decision {}
    }

    /// Why the page cannot be served where a person wants it.
    var problem: Problem? { found.withLock { $0 } }
}
