import ParleyProxy
import Testing

/// Proxies with their control, and a server behind one of them.
struct ProxyRig {
    let proxies: FaultProxies
    let server: TestSocket
    let port: Int

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
        let answer = await proxies.answer(
            ControlRequest(
                "POST",
                "/proxies",
                body: Array(
                    """
                    {"name":"web","listen":"127.0.0.1:0","upstream":"127.0.0.1:\(server.port)",
                    "toxics":\(toxics)}
                    """.utf8
                )
            )
        )
        try #require(answer.status == 201, "\(answer.body)")
        port = try Self.port(in: answer.body)
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

    private static func port(in body: String) throws -> Int {
        let listen = try JSONReader.read(Array(body.utf8))["listen"]
        guard case .string(let text)? = listen,
            let port = text.split(separator: ":").last.flatMap({ Int($0) })
        else { throw NoPort() }
        return port
    }

    private struct NoPort: Error {}
}
