import Glibc

/// Reports that the machine has slept, by comparing `CLOCK_BOOTTIME` with `CLOCK_MONOTONIC`.
///
/// Only `CLOCK_BOOTTIME` counts sleep. The clocks are compared when the system signals a clock
/// jump, and at intervals: long intervals where the system has the signal, in case it fails, short
/// ones elsewhere.
package actor WakeWatch {
    private nonisolated let executor: QueueExecutor
    private let signal: Descriptor?
    private let interval: Duration
    private let threshold: Duration
    private let asleep: @Sendable () -> Duration
    private let woke: @Sendable (Duration) -> Void
    private var asleepBefore: Duration
    private var source: ReadSource?
    private var timer: LoopTimer?

    /// The least interval beside a descriptor.
    private static let longInterval = Duration.seconds(60)

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes a watch that has not been started.
    ///
    /// - Parameters:
    ///   - executor: The loop that `woke` is called on.
    ///   - signal: The descriptor that is readable after a clock has jumped.
    ///   - interval: The time between comparisons, at least a minute if there is a `signal`; `woke`
    ///     is called at most this late.
    ///   - threshold: The shortest sleep that is reported.
    ///   - asleep: Returns how long the machine has slept since it booted.
    ///   - woke: Called with the length of the sleep.
    package init(
        on executor: QueueExecutor,
        signal: Descriptor? = ClockSignal.make(),
        every interval: Duration = .seconds(2),
        threshold: Duration = .seconds(1),
        asleep: @escaping @Sendable () -> Duration = WakeWatch.timeAsleep,
        woke: @escaping @Sendable (Duration) -> Void
    ) {
        self.executor = executor
        self.signal = signal
        self.interval = signal == nil ? interval : max(interval, Self.longInterval)
        self.threshold = threshold
        self.asleep = asleep
        self.woke = woke
        asleepBefore = asleep()
    }

    /// Starts the watch; must be called on the executor's queue.
    package nonisolated func start() {
        assumeIsolated { $0.startWatch() }
    }

    /// Stops the watch for good; must be called on the executor's queue.
    package nonisolated func stop() {
        assumeIsolated { watch in
            watch.source = nil
            watch.timer = nil
        }
    }

    /// How long this machine has slept since it booted.
    package static func timeAsleep() -> Duration {
        KernelClock.sinceStart - KernelClock.awake
    }

    private func startWatch() {
        if let signal {
            source = ReadSource(signal, on: executor) { [weak self] _ in
                self?.assumeIsolated { watch in
                    ClockSignal.take(signal)
                    watch.compare()
                }
            }
        }
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
}

/// The clocks of the kernel.
package enum KernelClock {
    /// The time since the machine started, asleep or awake.
    package static var sinceStart: Duration { now(CLOCK_BOOTTIME) }
    /// The time since the machine started, without sleep.
    static var awake: Duration { now(CLOCK_MONOTONIC) }

    private static func now(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
