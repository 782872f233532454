import Hummingbird
import NIOCore
import ParleyAPI

/// Server-sent events.
enum EventStream {
    /// The interval of the comments that keep a connection alive.
    static let heartbeat = Duration.seconds(15)
    /// A comment, which says that the node is there.
    static let beat = ByteBuffer(string: ": still here\n\n")

    /// The response with what `follow` writes.
    static func response(
        _ follow: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await follow(&writer)
                try await writer.finish(nil)
            }
        )
    }

    /// The response with the documents that `next` makes after the last one, at once and with each
    /// change; nil is left out.
    static func response<Document: Encodable & Sendable>(
        _ name: String,
        _ changes: @escaping @Sendable () async -> any AsyncSequence<Void, Never> & Sendable,
        _ next: @escaping @Sendable (Document?) async throws -> Document?
    ) -> Response {
        response { writer in
            var last: Document?
            try await Heartbeat.follow(await changes(), every: heartbeat) { isChange in
                if !isChange {
                    try await writer.write(beat)
                } else if let document = try await next(last) {
                    last = document
                    try await writer.write(try event(name, document))
                }
                return true
            }
        }
    }

    /// An event with a document.
    static func event(_ name: String, _ document: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
        buffer.writeBytes(try JSON.encode(document))
        buffer.writeString("\n\n")
        return buffer
    }
}
