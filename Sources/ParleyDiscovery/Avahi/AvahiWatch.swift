import CAvahi
import Dispatch
import Glibc

/// A descriptor that libavahi watches: a read and a write source, each made when it is needed.
final class AvahiWatch {
    // The reference is unowned because the adapter outlives its watches; see `AvahiPollAdapter`.
    unowned let adapter: AvahiPollAdapter
    /// The events that the running callback reports.
    private(set) var happened: UInt32 = 0

    private let descriptor: Int32
    private let copy: DescriptorCopy
    private let queue: DispatchQueue
    private let callback: AvahiWatchCallback
    private let userdata: UnsafeMutableRawPointer?
    private var wanted: UInt32 = 0
    private var reading: (any DispatchSourceRead)?
    private var writing: (any DispatchSourceWrite)?
    private var isDead = false

    /// Makes a watch; nil if the descriptor cannot be duplicated, for example at the limit of open
    /// files.
    init?(
        descriptor: Int32,
        queue: DispatchQueue,
        callback: @escaping AvahiWatchCallback,
        userdata: UnsafeMutableRawPointer?,
        adapter: AvahiPollAdapter
    ) {
        guard let copy = DescriptorCopy(of: descriptor) else { return nil }
        self.descriptor = descriptor
        self.copy = copy
        self.queue = queue
        self.callback = callback
        self.userdata = userdata
        self.adapter = adapter
    }

    /// The watch of a pointer that `watch_new` returned.
    static func of(_ pointer: OpaquePointer?) -> AvahiWatch? {
        pointer.map {
            Unmanaged<AvahiWatch>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
        }
    }

    /// Sets the events of poll(2) to wait for.
    func update(events: UInt32) {
        wanted = events
        if events & AVAHI_WATCH_IN.rawValue == 0 {
            reading?.cancel()
            reading = nil
        } else if reading == nil {
            let source = DispatchSource.makeReadSource(fileDescriptor: copy.number, queue: queue)
            start(source)
            reading = source
        }
        if events & AVAHI_WATCH_OUT.rawValue == 0 {
            writing?.cancel()
            writing = nil
        } else if writing == nil {
            let source = DispatchSource.makeWriteSource(fileDescriptor: copy.number, queue: queue)
            start(source)
            writing = source
        }
    }

    /// Ends the watch for good; the callback is not called any more.
    func end() {
        isDead = true
        update(events: 0)
    }

    private func start(_ source: any DispatchSourceProtocol) {
        let copy = copy
        // The handler retains the watch, because libavahi may free it from inside its callback.
        source.setEventHandler { self.ready() }
        // The cancel handler keeps the descriptor open until libdispatch stops using it.
        source.setCancelHandler { withExtendedLifetime(copy) {} }
        source.activate()
    }

    /// Calls libavahi with the events that have occurred.
    ///
    /// A Dispatch source does not tell an error or a hang-up from data, so poll(2) is asked.
    private func ready() {
        guard !isDead else { return }
        var question = pollfd(
            fd: copy.number,
            events: Int16(truncatingIfNeeded: wanted),
            revents: 0
        )
        guard poll(&question, 1, 0) > 0, question.revents != 0 else { return }
        happened = UInt32(UInt16(bitPattern: question.revents))
        let pointer = OpaquePointer(Unmanaged.passUnretained(self).toOpaque())
        callback(pointer, descriptor, AvahiWatchEvent(rawValue: happened), userdata)
        happened = 0
    }
}

/// A duplicate of a descriptor, which is closed when the last reference to it is released.
///
/// libdbus closes its own descriptor right after `watch_free`, but sources are cancelled
/// asynchronously, so they need a duplicate.
private final class DescriptorCopy: Sendable {
    let number: Int32

    init?(of descriptor: Int32) {
        number = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if number < 0 { return nil }
    }

    deinit { if number >= 0 { close(number) } }
}
