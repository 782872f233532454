import CLinux
import Glibc

/// The sockets of one queue that a single Dispatch source watches, each under a key of its owner.
///
/// libdispatch arms a source again after each event, through a thread of its own: on one machine
/// that takes longer than the answer to what was just sent. So after an event the queue waits for
/// the next one itself, for a moment in which nobody notices that the queue does nothing else.
package final class SocketSet<Key> {
    /// An event of a socket.
    package enum Event {
        /// There is something to read; after the last such event there is none any more, and the
        /// socket has to be read to its end.
        case readable(isLast: Bool)
        case writable
    }

    private let set: Descriptor
    private var sockets: [UInt: WatchedSocket<Key>] = [:]
    private var lastTag: UInt = 0
    private var source: ReadSource?

    /// How long the queue waits for the next event, in nanoseconds.
    private static var wait: Int { 200_000 }
    /// After how long other work of the queue has its turn.
    private static var turn: Duration { .milliseconds(1) }
    private static var eventsMax: Int { 64 }

    /// Makes a set that calls `ready`, which should then call `serve`, on the executor's queue.
    ///
    /// Returns nil if no descriptor is left.
    package init?(on executor: QueueExecutor, ready: @escaping @Sendable () -> Void) {
        let number = parley_set_open()
        guard number >= 0 else { return nil }
        set = Descriptor(adopting: number)
        source = ReadSource(set, on: executor) { _ in ready() }
    }

    /// Watches a non-blocking socket, first for arriving bytes; nil if the kernel refuses.
    package func add(_ descriptor: Descriptor, as key: Key) -> WatchedSocket<Key>? {
        lastTag += 1
        let socket = WatchedSocket(descriptor, as: key, in: set, tag: lastTag) { [weak self] tag in
            self?.sockets[tag] = nil
        }
        sockets[lastTag] = socket
        return socket
    }

    /// Passes on the events of all sockets, and further ones as long as each comes within `wait`.
    package func serve(_ handle: (Key, Event) -> Void) {
        let end = ContinuousClock.now + Self.turn
        var wait = 0
        var events = [parley_event](repeating: parley_event(), count: Self.eventsMax)
        repeat {
            let count = Int(parley_set_wait(set.number, &events, Int32(events.count), wait))
            guard count > 0 else { return }
            for event in events[..<count] { pass(event, to: handle) }
            wait = Self.wait
        } while ContinuousClock.now < end
    }

    private func pass(_ event: parley_event, to handle: (Key, Event) -> Void) {
        guard let socket = sockets[event.tag] else { return }
        // The kernel would tell of an ended socket again and again.
        if event.is_over { socket.forget() }
        if event.is_writable || event.is_over && socket.writes { handle(socket.key, .writable) }
        if event.is_readable || event.is_over {
            handle(socket.key, .readable(isLast: event.is_over))
        }
    }
}

/// A socket of a `SocketSet`, with what of it is watched.
package final class WatchedSocket<Key> {
    fileprivate let key: Key
    package let descriptor: Descriptor
    private let set: Descriptor
    private let tag: UInt
    private let left: (UInt) -> Void
    private var isWatched = false

    /// Whether the owner is told of what arrives.
    package var reads = true {
        didSet { if reads != oldValue { update() } }
    }
    /// Whether the owner is told that there is room to write.
    package var writes = false {
        didSet { if writes != oldValue { update() } }
    }

    fileprivate init?(
        _ descriptor: Descriptor,
        as key: Key,
        in set: Descriptor,
        tag: UInt,
        left: @escaping (UInt) -> Void
    ) {
        self.descriptor = descriptor
        self.key = key
        self.set = set
        self.tag = tag
        self.left = left
        guard parley_set_watch(set.number, descriptor.number, tag, true, false, true) == 0 else {
            return nil
        }
        isWatched = true
    }

    deinit { forget() }

    private func update() {
        guard isWatched else { return }
        _ = parley_set_watch(set.number, descriptor.number, tag, reads, writes, false)
    }

    /// Watches the socket no more.
    fileprivate func forget() {
        guard isWatched else { return }
        isWatched = false
        parley_set_forget(set.number, descriptor.number)
    }

    /// Takes the socket out of the set.
    package func leave() {
        forget()
        left(tag)
    }
}
