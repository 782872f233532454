import Foundation
import NIOCore
import ParleyAPI
import ParleyFaults

/// A running batch on the lab: one request whose body is written at the rate of the plan.
struct LabBatch: Sendable {
    let by: HostID
    /// How often the node had been started when the batch began.
    let starts: Int
    private let task: Task<String?, Never>

    /// Starts to send; calls `acknowledged` with every acknowledged message.
    init(
        _ batch: PlanBatch,
        path: String,
        sessions: [String],
        starts: Int,
        client: ControlClient,
        acknowledged: @escaping @Sendable (SentMessage) async -> Void
    ) {
        by = batch.by
        self.starts = starts
        task = Task {
            do {
                return try await Self.send(batch, path, sessions, client, acknowledged)
            } catch let problem as Problem {
                return problem.message
            } catch {
                return "\(error)"
            }
        }
    }

    /// Waits for the end of the batch; returns why it is incomplete, or nil if all messages were
    /// acknowledged.
    func failure() async -> String? { await task.value }

    func cancel() { task.cancel() }

    private static func send(
        _ batch: PlanBatch,
        _ path: String,
        _ sessions: [String],
        _ client: ControlClient,
        _ acknowledged: @Sendable (SentMessage) async -> Void
    ) async throws -> String? {
        let lines = BatchSource(batch, sessions: sessions)
        let body = AsyncStream<ByteBuffer> { await lines.next() }
        return try await client.post(path, RequestBody(parts: body)) { body in
            var splitter = LineSplitter()
            var count = 0
            while let part = try await body.next() {
                for line in splitter.add(part.readableBytesView) {
                    guard let sent = try? JSON.decode(SentMessage.self, from: Data(line)) else {
                        return String(decoding: line, as: UTF8.self)
                    }
                    count += 1
                    await acknowledged(sent)
                }
            }
            return count == batch.count ? nil : "\(count) of \(batch.count) were acknowledged"
        }
    }
}

/// The lines of a batch, limited to its rate.
private actor BatchSource {
    private let batch: PlanBatch
    private let sessions: [String]
    private let start = ContinuousClock.now
    private var index = 0

    /// The greatest number of lines that are passed on together.
    private static let linesMax = 64

    init(_ batch: PlanBatch, sessions: [String]) {
        self.batch = batch
        self.sessions = sessions
    }

    func next() async -> ByteBuffer? {
        guard index < batch.count, !Task.isCancelled else { return nil }
        var count = min(Self.linesMax, batch.count - index)
        if batch.rate > 0 {
            let due = start + .nanoseconds(index * 1_000_000_000 / batch.rate)
            // The sleep keeps to the rate of the plan, and ends early only when the batch is
            // cancelled.
            try? await Task.sleep(until: due, clock: .continuous)
            count = min(count, max(1, batch.rate / 100))
        }
        var buffer = ByteBuffer()
        for number in index..<index + count {
            var document = SendDocument()
            document.session = sessions[number % sessions.count]
            document.url = batch.url(of: number)
            // Encoding text never fails; a missing line would be noticed at the end.
            guard let line = try? JSON.encode(document) else { continue }
            buffer.writeBytes(line)
            buffer.writeString("\n")
        }
        index += count
        return buffer
    }
}
