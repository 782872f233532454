import Dispatch

/// Calls a handler once at each time it is armed for; monotonic, stands still while asleep.
package final class LoopTimer {
    private let source: any DispatchSourceTimer
    private var isCancelled = false

    /// Makes a timer that is not armed; `handler` runs on the executor's queue.
    package init(on executor: QueueExecutor, handler: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: executor.queue)
        source.setEventHandler(handler: handler)
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    deinit {
        cancel()
    }

    /// Calls the handler once, `delay` from now; replaces what was armed before.
    ///
    /// - Parameters:
    ///   - delay: Zero or less means as soon as the queue is free.
    ///   - leeway: How much later the call may come, so that the machine wakes less often.
    package func arm(after delay: Duration, leeway: Duration = .milliseconds(1)) {
        guard !isCancelled else { return }
        source.schedule(
            deadline: .now() + .nanoseconds(Self.nanoseconds(delay)),
            leeway: .nanoseconds(Self.nanoseconds(leeway))
        )
    }

    /// Forgets what was armed.
    package func disarm() {
        guard !isCancelled else { return }
        source.schedule(deadline: .distantFuture)
    }

    /// Ends the calls for good.
    package func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        source.cancel()
    }

    /// `duration` in nanoseconds, between zero and a century.
    private static func nanoseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 3_000_000_000 else { return 3_000_000_000 * 1_000_000_000 }
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}
