import Dispatch
import ParleyCore
import ParleyStore
import Synchronization

/// A commit queue with its own loop; a test reads the reports one by one.
final class QueueOnLoop: Sendable {
    let queue: CommitQueue
    let loop = DispatchQueue(label: "test.loop")
    private let reports: AsyncStream<CommitReport>
    private let reported: ReportCount
    private let stopping = StopFlag()

    /// Makes a queue that retries after an error only when told to, unless `retryMilliseconds` is
    /// short.
    init(_ store: any NodeStore, retryMilliseconds: Int = 3_600_000) {
        let (reports, continuation) = AsyncStream.makeStream(of: CommitReport.self)
        self.reports = reports
        let loop = self.loop
        let reported = ReportCount()
        self.reported = reported
        queue = CommitQueue(
            store: store,
            retryMilliseconds: retryMilliseconds...retryMilliseconds
        ) { body in
            loop.async(execute: body)
        } report: { report in
            dispatchPrecondition(condition: .onQueue(loop))
            reported.value.withLock { $0 += 1 }
            continuation.yield(report)
        }
    }

    /// Submits on the loop, as a node does.
    ///
    /// - Returns: the number of reports that arrived before the call returned.
    @discardableResult
    func submit(ticket: UInt64, writes: [StoreWrite]) -> Int {
        loop.sync {
            let before = reported.value.withLock { $0 }
            queue.submit(ticket: ticket, writes: writes)
            return reported.value.withLock { $0 } - before
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
            stopping.value.withLock { $0 = true }
        }
    }

    /// Whether the queue was told to stop.
    var isStopping: Bool { stopping.value.withLock { $0 } }
}

private final class StopFlag: Sendable {
    let value = Mutex(false)
}

/// The reports so far.
private final class ReportCount: Sendable {
    let value = Mutex(0)
}
