import Dispatch
import ParleyCore
import ParleyStore

/// A commit queue with its own loop; a test reads the reports one by one.
final class QueueOnLoop: Sendable {
    let queue: CommitQueue
    let loop = DispatchQueue(label: "test.loop")
    private let reports: AsyncStream<CommitReport>

    /// Makes a queue that retries after an error only when told to, unless `retryMilliseconds` is
    /// short.
    init(_ store: any NodeStore, retryMilliseconds: Int = 3_600_000) {
        let (reports, continuation) = AsyncStream.makeStream(of: CommitReport.self)
        self.reports = reports
        let loop = self.loop
        queue = CommitQueue(
            store: store,
            retryMilliseconds: retryMilliseconds...retryMilliseconds
        ) { body in
            loop.async(execute: body)
        } report: { report in
            dispatchPrecondition(condition: .onQueue(loop))
            continuation.yield(report)
        }
    }

    /// Waits for the next report.
    func report() async -> CommitReport? {
        for await report in reports { return report }
        return nil
    }

    /// Waits until at least `ticket` is committed, and returns the last committed ticket.
    func committed(_ ticket: UInt64) async -> UInt64? {
        for await report in reports {
            if case .committed(let through, _) = report, through >= ticket { return through }
        }
        return nil
    }

    func stop() async {
        await withCheckedContinuation { continuation in
            queue.stop { continuation.resume() }
        }
    }
}
