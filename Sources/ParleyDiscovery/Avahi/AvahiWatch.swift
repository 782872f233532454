import CAvahi
import Dispatch
import Glibc

/// One descriptor that libavahi watches: a read and a write source, each made when it is wanted.
final class AvahiWatch {
    // Unowned by design of the C side: the adapter outlives its watches, see there.
    unowned let adapter: AvahiPollAdapter
    /// The events of the callback that is running.
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

    /// Nil if the descriptor cannot be duplicated, as when the process has no more of them.
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

    /// The watch behind a pointer that `watch_new` gave out.
    static func of(_ pointer: OpaquePointer?) -> AvahiWatch? {
        pointer.map {
            Unmanaged<AvahiWatch>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
        }
    }

    /// Waits for these bits of poll(2) from here on.
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

    /// Calls nobody from here on.
    func end() {
        isDead = true
        update(events: 0)
    }

    private func start(_ source: any DispatchSourceProtocol) {
        let copy = copy
        // Strong: libavahi may free this watch from within its own callback.
        source.setEventHandler { self.ready() }
        // The descriptor stays open until the last source is done with it.
        source.setCancelHandler { withExtendedLifetime(copy) {} }
        source.activate()
    }

    /// A source does not tell an error or a hang-up from data, so poll(2) is asked.
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

/// A duplicate of a descriptor, closed when nobody refers to it any more.
///
/// libdbus closes its own right after `watch_free`, while sources are cancelled asynchronously.
private final class DescriptorCopy: Sendable {
    let number: Int32

    init?(of descriptor: Int32) {
        number = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if number < 0 { return nil }
    }

    deinit { if number >= 0 { close(number) } }
}
