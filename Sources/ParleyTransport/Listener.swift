import ParleyLoop

/// One listening socket.
final class Listener {
    let number: UInt64
    let descriptor: Descriptor
    /// What the socket is bound to, with the port that the kernel chose.
    let address: SocketAddress
    /// Whether the last try to accept found no descriptor to be had.
    var isOut = false
    private let source: ReadSource
    private let timer: LoopTimer
    private let pause: Duration

    /// Listens on `address`; on the executor's queue, `ready` is called when connections wait and
    /// `rested` when a rest is over.
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
        // libdispatch opens its timer descriptor when the first timer is armed. Were that the one
        // that waits for descriptors, it would find none and never fire.
        timer.arm(after: pause)
    }

    /// Accepts nothing for a while; those who connect wait in the kernel.
    func rest() {
        source.pause()
        timer.arm(after: pause)
    }

    /// Accepts again.
    func resume() {
        source.resume()
    }
}
