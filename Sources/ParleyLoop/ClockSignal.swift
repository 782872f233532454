import CLinux
import Glibc

/// A descriptor that becomes readable when the clock of the day is set or the machine wakes
/// (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`).
package enum ClockSignal {
    /// A new descriptor; nil if this system has none.
    package static func make() -> Descriptor? {
        let number = parley_clock_signal()
        return number < 0 ? nil : Descriptor(adopting: number)
    }

    /// Takes the signal, so that the next jump gives another one.
    static func take(_ descriptor: Descriptor) {
        var count: UInt64 = 0
        // The call fails with ECANCELED, which is the signal.
        _ = read(descriptor.number, &count, MemoryLayout.size(ofValue: count))
    }
}
