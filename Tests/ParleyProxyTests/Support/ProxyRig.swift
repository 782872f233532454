import ParleyProxy
import TestSupport
import Testing

/// Proxies with their control, and a server behind one of them.
struct ProxyRig {
    let proxies: FaultProxies
    let server: TestSocket
    private let reserved: ReservedPort

    /// The proxy's port.
    var port: Int { reserved.number }

    /// Starts a proxy with the toxics of a list in JSON.
    ///
    /// - Throws: an issue of the test if it does not start.
    init(
        seed: UInt64 = 1,
        hasMetrics: Bool = false,
        observer: (any FaultObserver)? = nil,
        toxics: String = "[]"
    ) async throws {
        proxies = FaultProxies(seed: seed, hasMetrics: hasMetrics, observer: observer)
        server = try TestSocket.listening()
        reserved = try ReservedPort()
        let answer = await proxies.answer(
            ControlRequest(
                "POST",
                "/proxies",
                body: Array(
                    """
                    {"name":"web","listen":"127.0.0.1:\(reserved.number)",
                    "upstream":"127.0.0.1:\(server.port)","toxics":\(toxics)}
                    """.utf8
                )
            )
        )
        try #require(answer.status == 201, "\(answer.body)")
    }

    /// A client and the server's end of its connection.
    func pair() async throws -> (client: TestSocket, server: TestSocket) {
        let client = try TestSocket.connected(to: port)
        return (client, try await server.accepted())
    }

    @discardableResult
    func ask(_ method: String, _ path: String, _ body: String = "") async -> ControlAnswer {
        await proxies.answer(ControlRequest(method, path, body: Array(body.utf8)))
    }
}
