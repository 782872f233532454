import NIOCore
import NIOHTTP1
import ParleyAPI
import Synchronization

/// The body of a request to a node: bytes, or a sequence of parts.
struct RequestBody: Sendable {
    typealias Writer = NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>

    /// The header that announces the length of the body.
    let headers: HTTPHeaders
    /// Writes the body.
    let write: @Sendable (Writer) async throws -> Void

    /// Makes a body of known length.
    init(_ bytes: ByteBuffer) {
        headers = ["content-length": "\(bytes.readableBytes)"]
        write = { try await $0.write(.body(.byteBuffer(bytes))) }
    }

    /// Makes a body whose parts are written while the response is being read.
    init<Parts: AsyncSequence & Sendable>(parts: Parts) where Parts.Element == ByteBuffer {
        self.init(parts, headers: ["transfer-encoding": "chunked"])
    }

    /// Makes a body of parts that have `count` bytes together.
    init<Parts: AsyncSequence & Sendable>(
        parts: Parts,
        count: Int
    ) where Parts.Element == ByteBuffer {
        self.init(parts, headers: ["content-length": "\(count)"])
    }

    private init<Parts: AsyncSequence & Sendable>(
        _ parts: Parts,
        headers: HTTPHeaders
    ) where Parts.Element == ByteBuffer {
        self.headers = headers
        write = { writer in
            for try await part in parts { try await writer.write(.body(.byteBuffer(part))) }
        }
    }
}

/// Writes a request while its response is being read.
///
/// Nobody waits for the task, because a body from a terminal ends only when somebody types.
final class RequestWriter: Sendable {
    private let failure = Mutex<Problem?>(nil)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Starts to write.
    init(
        _ head: HTTPRequestHead,
        _ body: RequestBody?,
        to writer: RequestBody.Writer,
        of channel: any Channel
    ) {
        let task = Task {
            do {
                try await writer.write(.head(head))
                try await body?.write(writer)
                try await writer.write(.end(nil))
            } catch let problem as Problem {
                // The body cannot be read. Closing the connection ends the reader of the response.
                failure.withLock { $0 = problem }
                channel.close(promise: nil)
            } catch {
                // The connection has ended, as the reader of the response notices too.
            }
        }
        self.task.withLock { $0 = task }
    }

    /// Why the body could not be read.
    var problem: Problem? { failure.withLock { $0 } }

    func cancel() {
        task.withLock { $0?.cancel() }
    }
}
