import Dispatch

/// A one-shot timer, which can be armed again, on a monotonic clock that stops during sleep.
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

    /// Calls the handler once, `delay` from now; replaces an earlier deadline.
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

    /// Cancels the deadline, if there is one.
    package func disarm() {
        guard !isCancelled else { return }
        source.schedule(deadline: .distantFuture)
    }

    /// Stops the timer for good; it cannot be armed again.
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
