import Dispatch
import Synchronization

/// The work that waits until the code of an app has returned: its completion handlers, and the
/// requests that it made of its host.
///
/// The main queue calls all of them in order.
package final class CompletionQueue: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    /// Calls `handler` on the main queue, after this function has returned.
    package func add(_ handler: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(handler) }
        DispatchQueue.main.async { MainActor.assumeIsolated { self.callWaiting() } }
    }

    /// Calls the handlers that wait, and those that they add; for a harness, which does not let the
    /// main queue go on.
    @MainActor
    package func callWaiting() {
        while let handler = next() { handler() }
    }

    private func next() -> (@Sendable () -> Void)? {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
