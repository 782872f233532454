import NIOCore
import NIOHTTP1
import ParleyAPI
import Synchronization

/// The body of a request to a node: bytes that are there, or parts as they come.
struct RequestBody: Sendable {
    typealias Writer = NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>

    /// How the length of the body is announced.
    let headers: HTTPHeaders
    /// Writes every part.
    let write: @Sendable (Writer) async throws -> Void

    /// A body that is there.
    init(_ bytes: ByteBuffer) {
        headers = ["content-length": "\(bytes.readableBytes)"]
        write = { try await $0.write(.body(.byteBuffer(bytes))) }
    }

    /// A body whose parts come while the answer is read already.
    init<Parts: AsyncSequence & Sendable>(parts: Parts) where Parts.Element == ByteBuffer {
        headers = ["transfer-encoding": "chunked"]
        write = { writer in
            for try await part in parts { try await writer.write(.body(.byteBuffer(part))) }
        }
    }
}

/// Writes a request while its answer is read.
///
/// The task is not waited for: a body that comes from a terminal ends only when somebody types.
final class RequestWriter: Sendable {
    private let failure = Mutex<Problem?>(nil)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Begins to write.
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
                // The body cannot be read. Closing the connection ends the reading of the answer.
                failure.withLock { $0 = problem }
                channel.close(promise: nil)
            } catch {
                // The connection has ended, which is told to whoever reads the answer.
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
