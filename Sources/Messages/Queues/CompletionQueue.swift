import Dispatch
import Synchronization

/// The work that waits until the code of an app has returned: handlers, and requests to the host.
///
/// The main queue does the work in order.
package final class CompletionQueue: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    /// Calls `handler` on the main queue, after this function has returned.
    package func add(_ handler: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(handler) }
        DispatchQueue.main.async { MainActor.assumeIsolated { self.callWaiting() } }
    }

    /// Calls handlers until none waits; for a harness, which blocks the main queue.
    @MainActor
    package func callWaiting() {
        while let handler = next() { handler() }
    }

    private func next() -> (@Sendable () -> Void)? {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
