import Hummingbird
import NIOCore
import ParleyAPI
import Synchronization

/// Counts the responses without an end, such as event streams, and refuses more than a limit.
final class StreamPermits: Sendable {
    private let count = Mutex(0)
    /// How often all streams were ended.
    private let ended = Mutex(0)
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// A permit, given back with its last reference at the latest.
    final class Permit: Sendable {
        private let permits: StreamPermits
        private let isHeld = Mutex(true)
        /// How often all streams were ended before this stream began.
        private let endedBefore: Int

        fileprivate init(_ permits: StreamPermits) {
            self.permits = permits
            endedBefore = permits.ended.withLock { $0 }
        }

        /// Whether the stream has to end.
        var isOver: Bool { permits.ended.withLock { $0 } != endedBefore }

        deinit { giveBack() }

        /// Gives the permit back, unless that was done before.
        func giveBack() {
            let wasHeld = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            if wasHeld { permits.count.withLock { $0 -= 1 } }
        }
    }

    /// Ends every stream at its next write; readers that are still signed in may connect again.
    func endAll() {
        ended.withLock { $0 += 1 }
    }

    /// A permit; nil if the limit is reached.
    func take() -> Permit? {
        let isFree = count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return isFree ? Permit(self) : nil
    }
}

/// Gives a permit to each response without an end, and answers 503 if none is free.
struct StreamLimit: RouterMiddleware {
    let permits: StreamPermits

    /// The streams of one node; browsers open at most six to a server.
    static let streamsMax = 32

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let permit = permits.take() else {
            throw Problem(
                .tooManyStreams,
                "\(permits.limit) pages and programs follow this node already.",
                hint: "Close some tabs of the page."
            )
        }
        let response = try await next(request, context)
        return Response(
            status: response.status,
            headers: response.headers,
            body: ResponseBody { writer in
                defer { permit.giveBack() }
                try await response.body.write(PermittedWriter(base: writer, permit: permit))
            }
        )
    }
}

/// Writes as long as the permit holds.
private struct PermittedWriter: ResponseBodyWriter {
    var base: any ResponseBodyWriter
    let permit: StreamPermits.Permit

    mutating func write(_ buffer: ByteBuffer) async throws {
        guard !permit.isOver else {
            throw Problem(.notSignedIn, "All browsers were signed out.")
        }
        try await base.write(buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await base.finish(trailingHeaders)
    }
}
