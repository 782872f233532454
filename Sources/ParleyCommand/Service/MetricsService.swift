import Logging
import ParleyNode
import ParleyWeb
import ServiceLifecycle

/// Serves the metrics of a node as long as the node runs.
struct MetricsService: Service {
    let node: Node
    let address: PageAddress
    let logger: Logger

    func run() async throws {
        var quiet = logger
        quiet.logLevel = .notice
        try await MetricsServer(node: node, address: address, logger: quiet).run()
    }
}
