package import CAvahi
package import Dispatch

/// The event loop of libavahi-client: an `AvahiPoll` on Dispatch sources of one queue.
///
/// libavahi-client has no locks, so all calls to it must be made on `queue`. Its objects hold an
/// unretained pointer to this adapter, so the owner of a client must keep the adapter alive until
/// after `avahi_client_free`.
package final class AvahiPollAdapter {
    private let queue: DispatchQueue
    /// The argument for `avahi_client_new`; valid as long as the adapter lives.
    package let api: UnsafeMutablePointer<AvahiPoll>
    /// The number of watches that libavahi has made and not freed.
    package fileprivate(set) var watchCount = 0
    /// The number of timers that libavahi has made and not freed.
    package fileprivate(set) var timerCount = 0

    /// Makes the table of functions that a client calls.
    package init(queue: DispatchQueue) {
        self.queue = queue
        api = .allocate(capacity: 1)
        api.initialize(
            to: AvahiPoll(
                userdata: nil,
                watch_new: { api, descriptor, events, callback, userdata in
                    AvahiPollAdapter.of(api)?
                        .makeWatch(descriptor, events, callback, userdata)
                },
                watch_update: { watch, events in
                    AvahiWatch.of(watch)?.update(events: events.rawValue)
                },
                watch_get_events: { watch in
                    AvahiWatchEvent(rawValue: AvahiWatch.of(watch)?.happened ?? 0)
                },
                watch_free: { watch in AvahiPollAdapter.free(watch) },
                timeout_new: { api, time, callback, userdata in
                    AvahiPollAdapter.of(api)?.makeTimer(time, callback, userdata)
                },
                timeout_update: { timer, time in AvahiTimer.of(timer)?.update(time) },
                timeout_free: { timer in AvahiPollAdapter.free(timer: timer) }
            )
        )
        // The pointer is unretained, because the adapter owns `api` and outlives it.
        api.pointee.userdata = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        precondition(watchCount == 0, "The client must be freed before its event loop.")
        precondition(timerCount == 0, "The client must be freed before its event loop.")
        api.deinitialize(count: 1)
        api.deallocate()
    }

    private static func of(_ api: UnsafePointer<AvahiPoll>?) -> AvahiPollAdapter? {
        api?.pointee.userdata.map {
            Unmanaged<AvahiPollAdapter>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private func makeWatch(
        _ descriptor: Int32,
        _ events: AvahiWatchEvent,
        _ callback: AvahiWatchCallback?,
        _ userdata: UnsafeMutableRawPointer?
    ) -> OpaquePointer? {
        guard let callback,
            let watch = AvahiWatch(
                descriptor: descriptor,
                queue: queue,
                callback: callback,
                userdata: userdata,
                adapter: self
            )
        else { return nil }
        watchCount += 1
        watch.update(events: events.rawValue)
        // libavahi owns a reference until it calls `watch_free`.
        return OpaquePointer(Unmanaged.passRetained(watch).toOpaque())
    }

    private func makeTimer(
        _ time: UnsafePointer<timeval>?,
        _ callback: AvahiTimeoutCallback?,
        _ userdata: UnsafeMutableRawPointer?
    ) -> OpaquePointer? {
        guard let callback else { return nil }
        timerCount += 1
        let timer = AvahiTimer(queue: queue, callback: callback, userdata: userdata, adapter: self)
        timer.update(time)
        // libavahi owns a reference until it calls `timeout_free`.
        return OpaquePointer(Unmanaged.passRetained(timer).toOpaque())
    }

    private static func free(_ watch: OpaquePointer?) {
        guard let watch else { return }
        let owned = Unmanaged<AvahiWatch>.fromOpaque(UnsafeRawPointer(watch)).takeRetainedValue()
        owned.end()
        owned.adapter.watchCount -= 1
    }

    private static func free(timer: OpaquePointer?) {
        guard let timer else { return }
        let owned = Unmanaged<AvahiTimer>.fromOpaque(UnsafeRawPointer(timer)).takeRetainedValue()
        owned.end()
        owned.adapter.timerCount -= 1
    }
}
