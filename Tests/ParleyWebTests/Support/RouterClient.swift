import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded

/// Passes requests to a router as the server does, but without a socket.
struct RouterClient: Sendable {
    private let responder: any HTTPResponder<BasicRequestContext>

    init(_ router: Router<BasicRequestContext>) {
        responder = router.buildResponder()
    }

    init(responder: any HTTPResponder<BasicRequestContext>) {
        self.responder = responder
    }

    /// The response to a request.
    struct Answer: Sendable {
        let status: Int
        let fields: HTTPFields
        let body: Data

        /// The media type.
        var type: String? { fields[.contentType] }

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The body as JSON.
        func json() throws -> Any {
            try JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
        }

        /// The body as a JSON object; empty if it is not an object.
        func object() throws -> [String: Any] { try json() as? [String: Any] ?? [:] }

        /// The name of the problem, if the body is one.
        var problem: String? {
            // A body that is not a JSON object is not a problem.
            (try? object())?["error"] as? String
        }
    }

    /// Makes a request of a path under `/v1/`, whose body arrives in parts, and waits for the whole
    /// answer, or for so many parts of it; `onPart` runs before the next part is taken.
    func call(
        _ method: String,
        _ path: String,
        _ body: [String] = [],
        type: String? = "application/json",
        parts: Int? = nil,
        onPart: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) async throws -> Answer {
        var fields = HTTPFields()
        if let type { fields[.contentType] = type }
        if !body.isEmpty { fields[.contentLength] = "\(body.reduce(0) { $0 + $1.utf8.count })" }
        return try await request(method, "/v1/" + path, fields, body, parts: parts, onPart: onPart)
    }

    /// Makes a request of any path with these fields to a host.
    func request(
        _ method: String,
        _ path: String,
        _ fields: HTTPFields = [:],
        _ body: [String] = [],
        authority: String? = "parley",
        parts: Int? = nil,
        onPart: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) async throws -> Answer {
        let request = Request(
            head: HTTPRequest(
                method: try Self.method(method),
                scheme: "http",
                authority: authority,
                path: path,
                headerFields: fields
            ),
            body: RequestBody(
                asyncSequence: AsyncStream { stream in
                    for part in body { stream.yield(ByteBuffer(string: part)) }
                    stream.finish()
                }
            )
        )
        let source = ApplicationRequestContextSource(
            channel: EmbeddedChannel(),
            logger: Logger(label: "parley.web.tests") { _ in SwiftLogNoOpLogHandler() }
        )
        let response = try await responder.respond(
            to: request,
            context: BasicRequestContext(source: source)
        )
        let collector = Collector(partsMax: parts, onPart: onPart)
        do {
            try await response.body.write(collector)
        } catch is Collector.Enough {}
        return Answer(
            status: response.status.code,
            fields: response.headers,
            body: await collector.parts.data
        )
    }

    private static func method(_ name: String) throws -> HTTPRequest.Method {
        guard let method = HTTPRequest.Method(name) else { throw NoMethod(name: name) }
        return method
    }

    private struct NoMethod: Error {
        let name: String
    }
}

/// Collects the body of a response until there are enough parts.
private struct Collector: ResponseBodyWriter {
    /// The requested number of parts has arrived.
    struct Enough: Error {}

    actor Parts {
        private(set) var data = Data()
        private var count = 0

        /// Adds a part; returns the number of parts.
        func add(_ buffer: ByteBuffer) -> Int {
            data.append(contentsOf: buffer.readableBytesView)
            count += 1
            return count
        }
    }

    let parts = Parts()
    let partsMax: Int?
    let onPart: @Sendable (Int) async throws -> Void

    func write(_ buffer: ByteBuffer) async throws {
        let count = await parts.add(buffer)
        try await onPart(count)
        if let partsMax, count >= partsMax { throw Enough() }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
