import ParleyLoop

/// One timer for all that is due later.
final class WakeClock<Key> {
    private var wakes = DueHeap<Key>()
    private let timer: LoopTimer
    private var armed = ProxyTime.never

    /// Makes a clock that calls `due`, which should then call `fire`, on the executor's queue.
    init(on executor: QueueExecutor, due: @escaping @Sendable () -> Void) {
        timer = LoopTimer(on: executor, handler: due)
    }

    func add(_ key: Key, at time: ProxyTime, now: ProxyTime) {
        guard time < .never else { return }
        wakes.insert(key, at: time)
        arm(now)
    }

    /// Passes on what is due, with the time for which it was added.
    func fire(at now: ProxyTime, _ wake: (Key, ProxyTime, _ now: ProxyTime) -> Void) {
        armed = .never
        while let (time, key) = wakes.next(upTo: now) { wake(key, time, now) }
        arm(now)
    }

    private func arm(_ now: ProxyTime) {
        let earliest = wakes.earliest
        guard earliest < armed else { return }
        armed = earliest
        let delay = max(0, earliest.nanoseconds - now.nanoseconds)
        timer.arm(after: .nanoseconds(delay), leeway: .zero)
    }
}
