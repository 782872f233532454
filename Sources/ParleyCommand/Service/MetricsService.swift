import Logging
import ParleyAPI
import ParleyNode
import ParleyWeb
import ServiceLifecycle

/// Serves the metrics of a node as long as the node runs.
struct MetricsService: Service {
    private let server: MetricsServer

    /// - Throws: a `Problem` if the server cannot listen.
    init(node: Node, address: PageAddress, logger: Logger) throws(Problem) {
        if !address.isLoopback {
            logger.warning("the metrics at \(address) can be read from the network by everybody")
        }
        var quiet = logger
        quiet.logLevel = .notice
        server = try MetricsServer(node: node, address: address, logger: quiet)
    }

    func run() async throws { try await server.run() }
}
