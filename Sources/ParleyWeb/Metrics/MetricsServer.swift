import Hummingbird
package import Logging
import NIOCore
package import ParleyAPI
import ParleyLoop
package import ParleyNode

/// The server for programs that watch a node: `/metrics`, `/healthz` and `/readyz`.
///
/// Anybody who can connect may read the figures, so they contain no names and no message content.
package struct MetricsServer: Sendable {
    private let node: Node
    private let address: PageAddress
    private let listener: Descriptor
    private let logger: Logger

    /// The time after which a loop without an answer counts as standing still.
    private static let patience = Duration.seconds(1)

    /// A server on an open port, which nobody else can take while the node starts.
    ///
    /// - Throws: a `Problem` if the port cannot be opened.
    package init(node: Node, address: PageAddress, logger: Logger) throws(Problem) {
        self.node = node
        self.address = address
        listener = try address.listener(for: "The metrics", option: "--metrics")
        self.logger = logger
    }

    /// Serves until the task is cancelled or the service is told to shut down.
    package func run() async throws {
        logger.notice("metrics at http://\(PageAddress(host: address.host, port: listener.port))")
        let service = HTTPService(
            responder: router.buildResponder(),
            name: "the server of metrics",
            slots: ConnectionSlots(),
            knows: { _ in false },
            logger: logger
        )
        await service.run(on: listener) {}
    }

    private var router: Router<BasicRequestContext> {
        let router = Router(
            context: BasicRequestContext.self,
            options: .autoGenerateHeadEndpoints
        )
        router.get("/metrics") { [node] _, _ in
            guard await node.answers(within: Self.patience),
                let measurements = await node.measurements
            else { return Self.text(.serviceUnavailable, "the node does not answer\n") }
            let text = MetricsText(measurements, ProcessFigures()).text
            return Self.text(.ok, text, type: MetricsText.contentType)
        }
        router.get("/healthz") { [node] _, _ in
            await node.answers(within: Self.patience)
                ? Self.text(.ok, "ok\n")
                : Self.text(.serviceUnavailable, "the node does not answer\n")
        }
        router.get("/readyz") { [node] _, _ in
            guard await node.answers(within: Self.patience),
                let measurements = await node.measurements
            else { return Self.text(.serviceUnavailable, "the node does not answer\n") }
            let reasons = measurements.troubles.map { "\($0.words)\n" }
            return reasons.isEmpty
                ? Self.text(.ok, "ok\n") : Self.text(.serviceUnavailable, reasons.joined())
        }
        return router
    }

    private static func text(
        _ status: HTTPResponse.Status,
        _ text: String,
        type: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
