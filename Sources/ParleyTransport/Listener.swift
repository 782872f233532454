import ParleyLoop

/// One listening socket.
final class Listener {
    let number: UInt64
    let descriptor: Descriptor
    /// The address that the socket is bound to, with the port that the kernel chose.
    let address: SocketAddress
    /// Whether the last call of accept failed because descriptors or memory have run out.
    var isOut = false
    private let source: ReadSource
    private let timer: LoopTimer
    private let pause: Duration

    /// Listens on `address`; calls `ready` on the executor's queue when connections wait, and
    /// `rested` when a pause is over.
    init(
        _ number: UInt64,
        on address: SocketAddress,
        executor: QueueExecutor,
        settings: TransportSettings,
        ready: @escaping @Sendable () -> Void,
        rested: @escaping @Sendable () -> Void
    ) throws(TransportError) {
        self.number = number
        descriptor = try Socket.make(for: address, leaving: settings.descriptorsLeft)
        try Socket.listen(descriptor, on: address, backlog: settings.backlog)
        self.address = Socket.localAddress(descriptor) ?? address
        pause = settings.acceptPause
        source = ReadSource(descriptor, on: executor, handler: { _ in ready() })
        timer = LoopTimer(on: executor, handler: rested)
        // libdispatch opens its timer descriptor when the first timer is armed. If no descriptor
        // were left at that time, the timer would never fire, so it is armed now.
        timer.arm(after: pause)
    }

    /// Stops accepting for a while; new connections wait in the kernel's backlog.
    func rest() {
        source.pause()
        timer.arm(after: pause)
    }

    /// Accepts again.
    func resume() {
        source.resume()
    }
}
