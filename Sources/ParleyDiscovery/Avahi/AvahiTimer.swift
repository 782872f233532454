import CAvahi
import Dispatch
import Glibc

/// A timer that libavahi has requested: one shot, at a time of the wall clock.
final class AvahiTimer {
    // The reference is unowned because the adapter outlives its timers; see `AvahiPollAdapter`.
    unowned let adapter: AvahiPollAdapter

    private let source: any DispatchSourceTimer
    private let callback: AvahiTimeoutCallback
    private let userdata: UnsafeMutableRawPointer?
    private var isDead = false

    init(
        queue: DispatchQueue,
        callback: @escaping AvahiTimeoutCallback,
        userdata: UnsafeMutableRawPointer?,
        adapter: AvahiPollAdapter
    ) {
        self.callback = callback
        self.userdata = userdata
        self.adapter = adapter
        source = DispatchSource.makeTimerSource(queue: queue)
        // The handler retains the timer, because libavahi may free it from inside its callback.
        source.setEventHandler { self.expired() }
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    /// The timer of a pointer that `timeout_new` returned.
    static func of(_ pointer: OpaquePointer?) -> AvahiTimer? {
        pointer.map {
            Unmanaged<AvahiTimer>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
        }
    }

    /// Arms the timer for `time`, an absolute time of the wall clock; nil disarms it.
    ///
    /// The time is converted to an interval at once, so a later step of the wall clock has no
    /// effect.
    func update(_ time: UnsafePointer<timeval>?) {
        guard let time = time?.pointee else {
            source.schedule(deadline: .distantFuture)
            return
        }
        var now = timeval()
        gettimeofday(&now, nil)
        let seconds = min(max(time.tv_sec - now.tv_sec, -1), 86_400)
        let microseconds = seconds * 1_000_000 + time.tv_usec - now.tv_usec
        source.schedule(deadline: .now() + .microseconds(max(0, microseconds)))
    }

    /// Cancels the timer for good.
    func end() {
        isDead = true
        source.cancel()
    }

    private func expired() {
        guard !isDead else { return }
        callback(OpaquePointer(Unmanaged.passUnretained(self).toOpaque()), userdata)
    }
}
