import Dispatch

/// Runs a piece of work once at the end of the current iteration of the loop.
///
/// The work is appended to the queue, so it runs after all events of the same wake-up and serves
/// all of their requests.
package final class IterationEnd {
    private let executor: QueueExecutor
    private let work: @Sendable () -> Void
    private var isRequested = false

    /// Prepares `work`, which runs on the executor's queue and must call `begin` first.
    package init(on executor: QueueExecutor, work: @escaping @Sendable () -> Void) {
        self.executor = executor
        self.work = work
    }

    /// Requests that the work run once at the end of the iteration.
    package func request() {
        guard !isRequested else { return }
        isRequested = true
        executor.queue.async(execute: work)
    }

    /// The work has begun, so the next request makes it run again.
    package func begin() {
        isRequested = false
    }
}
