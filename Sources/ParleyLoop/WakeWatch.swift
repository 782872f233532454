import Glibc

/// Tells when the machine has slept, from the gap between the clocks that count sleep or not.
package actor WakeWatch {
    private nonisolated let executor: QueueExecutor
    private let interval: Duration
    private let threshold: Duration
    private let asleep: @Sendable () -> Duration
    private let woke: @Sendable (Duration) -> Void
    private var asleepBefore: Duration
    private var timer: LoopTimer?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Prepares to watch.
    ///
    /// - Parameters:
    ///   - executor: The loop that `woke` is called on.
    ///   - interval: How often the clocks are compared, and so how late the call may come.
    ///   - threshold: Shorter sleeps are not told.
    ///   - asleep: How long the machine has slept since it was started.
    ///   - woke: Told the length of the sleep.
    package init(
        on executor: QueueExecutor,
        every interval: Duration = .seconds(2),
        threshold: Duration = .seconds(1),
        asleep: @escaping @Sendable () -> Duration = WakeWatch.timeAsleep,
        woke: @escaping @Sendable (Duration) -> Void
    ) {
        self.executor = executor
        self.interval = interval
        self.threshold = threshold
        self.asleep = asleep
        self.woke = woke
        asleepBefore = asleep()
    }

    /// Begins to watch; called on the executor's queue.
    package nonisolated func start() {
        assumeIsolated { $0.startTimer() }
    }

    /// Ends the calls for good; called on the executor's queue.
    package nonisolated func stop() {
        assumeIsolated { $0.timer = nil }
    }

    /// How long this machine has slept since it was started.
    package static func timeAsleep() -> Duration {
        now(CLOCK_BOOTTIME) - now(CLOCK_MONOTONIC)
    }

    private func startTimer() {
        let timer = LoopTimer(on: executor) { [weak self] in
            self?.assumeIsolated { $0.compare() }
        }
        timer.arm(after: interval, leeway: interval / 4)
        self.timer = timer
    }

    private func compare() {
        let asleepNow = asleep()
        let slept = asleepNow - asleepBefore
        asleepBefore = asleepNow
        timer?.arm(after: interval, leeway: interval / 4)
        if slept >= threshold { woke(slept) }
    }

    private static func now(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
