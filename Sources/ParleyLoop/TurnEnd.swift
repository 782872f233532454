import Dispatch

/// Runs a piece of work once at the end of the loop's turn, however often it was asked for.
///
/// The end of the turn is the tail of the queue: what other events of the same wake-up ask for is
/// gathered into the same run.
package final class TurnEnd {
    private let executor: QueueExecutor
    private let work: @Sendable () -> Void
    private var isRequested = false

    /// Prepares `work`, which runs on the executor's queue and calls `begin` first.
    package init(on executor: QueueExecutor, work: @escaping @Sendable () -> Void) {
        self.executor = executor
        self.work = work
    }

    /// Asks for one run.
    package func request() {
        guard !isRequested else { return }
        isRequested = true
        executor.queue.async(execute: work)
    }

    /// The run has begun: the next request asks for another one.
    package func begin() {
        isRequested = false
    }
}
