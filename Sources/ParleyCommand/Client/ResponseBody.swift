import NIOCore
import NIOHTTP1
import ParleyAPI

/// The response of a node, read part by part.
struct ResponseBody {
    typealias Parts = NIOAsyncChannelInboundStream<HTTPClientResponsePart>

    private var parts: Parts.AsyncIterator
    private var hasEnded = false

    /// Makes a response from the inbound stream of a connection.
    init(_ parts: Parts) {
        self.parts = parts.makeAsyncIterator()
    }

    /// The status; must be read before the body.
    mutating func head(
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> HTTPResponseStatus {
        guard case .head(let head) = try await part() else { throw Problem.nodeWentAway }
        return head.status
    }

    /// The next part of the body, nil after the last one.
    ///
    /// - Throws: `Problem.nodeWentAway` if the connection ends before the body.
    mutating func next(
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> ByteBuffer? {
        guard !hasEnded else { return nil }
        switch try await part() {
        case .body(let bytes): return bytes
        case .end:
            hasEnded = true
            return nil
        case .head: throw Problem(.internal, "The node has answered twice.")
        }
    }

    private mutating func part(
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> HTTPClientResponsePart {
        do {
            if let part = try await parts.next(isolation: isolation) { return part }
        } catch {
            // The connection was reset, or its bytes are not HTTP, so the rest is lost.
        }
        try Task.checkCancellation()
        throw Problem.nodeWentAway
    }
}
