import Foundation
import ParleyCore
import ParleyLoop

extension NodeClock {
    /// The wall clock, and the running time of the computer.
    static var now: NodeClock {
        NodeClock(
            wall: UInt64(max(0, Date().timeIntervalSince1970)),
            running: UInt64(KernelClock.sinceStart.components.seconds)
        )
    }
}
