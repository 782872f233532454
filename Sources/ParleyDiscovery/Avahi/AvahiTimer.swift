import CAvahi
import Dispatch
import Glibc

/// One timer that libavahi asked for: one shot, at a time of the wall clock.
final class AvahiTimer {
    // Unowned by design of the C side: the adapter outlives its timers, see there.
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
        // Strong: libavahi may free this timer from within its own callback.
        source.setEventHandler { self.expired() }
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    /// The timer behind a pointer that `timeout_new` gave out.
    static func of(_ pointer: OpaquePointer?) -> AvahiTimer? {
        pointer.map {
            Unmanaged<AvahiTimer>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
        }
    }

    /// Goes off once at `time`, an absolute time of the wall clock; nil for never.
    ///
    /// It becomes an interval here, so a later step of the clock changes nothing.
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

    /// Goes off no more.
    func end() {
        isDead = true
        source.cancel()
    }

    private func expired() {
        guard !isDead else { return }
        callback(OpaquePointer(Unmanaged.passUnretained(self).toOpaque()), userdata)
    }
}
