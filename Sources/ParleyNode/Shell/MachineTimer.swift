package import ParleyCore
package import ParleyLoop

/// The timer for the next deadline of the machine.
package struct MachineTimer {
    private let timer: LoopTimer
    /// The moment for which the timer is armed.
    private var moment: Moment?

    /// A timer that is not armed; `handler` must call `fired` first.
    package init(on executor: QueueExecutor, handler: @escaping @Sendable () -> Void) {
        timer = LoopTimer(on: executor, handler: handler)
    }

    /// Fires at this moment or earlier; nil disarms the timer.
    ///
    /// Deadlines are postponed all the time. A timer that fires too early costs less than arming it
    /// again for each change.
    package mutating func arm(for deadline: Moment?, at now: Moment) {
        guard let deadline else {
            timer.disarm()
            moment = nil
            return
        }
        if let moment, moment <= deadline { return }
        moment = deadline
        timer.arm(after: .nanoseconds((deadline - now).nanoseconds))
    }

    /// The timer has fired.
    package mutating func fired() { moment = nil }

    /// Stops the timer for good.
    package func cancel() { timer.cancel() }
}
