import Dispatch
import ParleyCore
import ParleyLoop
import ParleyNode
import Synchronization
import TestSupport
import Testing

/// The timer of the machine fires for the earliest of its deadlines, and then for the next ones.
@Suite struct MachineTimerTests {
    private final class Armed: @unchecked Sendable {
        // The timer is used on the executor's queue only.
        var timer: MachineTimer?
    }

    @Test func aPostponedDeadlineFiresEarly() async throws {
        let executor = QueueExecutor(label: "timer")
        let calls = Mutex(0)
        let armed = Armed()
        let later = Moment.start + .seconds(3_600)
        executor.queue.sync {
            armed.timer = MachineTimer(on: executor) {
                armed.timer?.fired()
                calls.withLock { $0 += 1 }
            }
            armed.timer?.arm(for: Moment.start + .milliseconds(1), at: .start)
            armed.timer?.arm(for: later, at: .start)
        }
        try await eventually("the earlier deadline") { calls.withLock { $0 } == 1 }
        executor.queue.sync {
            armed.timer?.arm(for: later, at: .start)
            armed.timer?.arm(for: nil, at: .start)
            armed.timer?.arm(for: Moment.start, at: .start)
        }
        try await eventually("a deadline that has come") { calls.withLock { $0 } == 2 }
        executor.queue.sync {
            armed.timer?.cancel()
            armed.timer = nil
        }
    }
}
