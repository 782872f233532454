import Hummingbird
package import Logging
import NIOCore
package import ParleyAPI
import ParleyLoop
package import ParleyProxy

/// The server for the control of the fault proxies, which clients of Toxiproxy drive.
package struct FaultProxyServer: Sendable {
    private let proxies: FaultProxies
    private let listener: Descriptor
    private let logger: Logger
    private let hasPage: Bool
    /// Where it listens, with the port that the system chose.
    package let address: PageAddress

    /// The usual address, which is Toxiproxy's.
    package static let usual = PageAddress(host: "127.0.0.1", port: 8474)

    /// A server on an open port, with a page for people if it is wanted.
    ///
    /// - Throws: a `Problem` if the port cannot be opened.
    package init(
        proxies: FaultProxies,
        address: PageAddress,
        hasPage: Bool = false,
        logger: Logger
    ) throws(Problem) {
        self.proxies = proxies
        self.logger = logger
        self.hasPage = hasPage
        listener = try address.listener(for: "The control of the proxy", option: "--control")
        self.address = PageAddress(host: address.host, port: listener.port)
    }

    /// Serves until the task is cancelled or the service is told to shut down.
    ///
    /// `ready` is called once clients can connect.
    package func run(ready: @escaping @Sendable () async -> Void) async {
        let service = HTTPService(
            responder: Responder(
                proxies: proxies,
                page: hasPage ? NetworkPage(address: address) : nil
            ),
            name: "the control of the proxy",
            slots: ConnectionSlots(Self.limits),
            configuration: PageServer.configuration,
            knows: { _ in true },
            logger: logger
        )
        await service.run(on: listener, ready: ready)
    }

    private static let limits: ConnectionSlots.Limits = {
        var limits = ConnectionSlots.Limits()
        limits.all = 1_024
        return limits
    }()

    /// Passes requests to the proxies, whose answers have everything but the date.
    private struct Responder: HTTPResponder {
        let proxies: FaultProxies
        let page: NetworkPage?

        /// The longest body, in bytes: a list of many thousand proxies.
        private static let bodyBytesMax = 16 << 20

        func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
            if let response = page?.response(to: request) { return response }
            let body: ByteBuffer
            do {
                body = try await request.body.collect(upTo: Self.bodyBytesMax)
            } catch is NIOTooManyBytesError {
                return Response(status: .contentTooLarge)
            }
            let answer = await proxies.answer(
                ControlRequest(
                    request.method.rawValue,
                    request.head.path ?? "/",
                    userAgent: page?.isOwn(request) == true
                        ? "" : request.headers[.userAgent] ?? "",
                    body: Array(body.readableBytesView)
                )
            )
            var fields = HTTPFields()
            for field in answer.fields {
                guard let name = HTTPField.Name(field.name) else { continue }
                fields[name] = field.value
            }
            return Response(
                status: HTTPResponse.Status(code: answer.status),
                headers: fields,
                body: answer.body.isEmpty
                    ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: answer.body))
            )
        }
    }
}
