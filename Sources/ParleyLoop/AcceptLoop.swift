package import Glibc

/// Accepts the connections of one listening socket.
///
/// The loop pauses while descriptors or memory have run out: retrying at once would only burn the
/// CPU, and a closed listener could not be reopened.
package actor AcceptLoop {
    /// How much is accepted.
    package struct Limits: Sendable {
        /// Connections that one wake-up accepts.
        package var accepts = 64
        /// Connections that wait in the kernel to be accepted.
        package var backlog: Int32 = 256
        /// Descriptors that are left free for the rest of the process.
        ///
        /// libdispatch ends the process when it cannot open a file of /proc, and the store needs
        /// descriptors too.
        package var descriptorsLeft = 16
        /// How long nothing is accepted after descriptors have run out.
        package var pause: Duration = .milliseconds(250)

        package init() {}
    }

    /// Takes a connection, with the address of its other end.
    package typealias Taking = @Sendable (Descriptor, sockaddr_storage) -> Void

    private nonisolated let executor: QueueExecutor
    private let listener: Descriptor
    private let limits: Limits
    private let taken: Taking
    private let paused: @Sendable (Int32?) -> Void
    private var source: ReadSource?
    private var timer: LoopTimer?
    /// Whether the last call of accept failed.
    private var isOut = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes a loop that has not been started and ends with its last reference.
    ///
    /// - Parameters:
    ///   - listener: A listening socket that does not block.
    ///   - executor: The loop that the handlers are called on.
    ///   - limits: How much is accepted.
    ///   - taken: Takes each connection, which does not block.
    ///   - paused: Called with the reason when a pause begins, and with nil when the pause is over;
    ///     not called for further failures in between.
    package init(
        _ listener: Descriptor,
        on executor: QueueExecutor,
        limits: Limits = Limits(),
        taken: @escaping Taking,
        paused: @escaping @Sendable (Int32?) -> Void
    ) {
        self.listener = listener
        self.executor = executor
        self.limits = limits
        self.taken = taken
        self.paused = paused
    }

    /// Starts to accept.
    package func start() {
        source = ReadSource(listener, on: executor) { [weak self] _ in
            self?.assumeIsolated { $0.accept() }
        }
        let timer = LoopTimer(on: executor) { [weak self] in
            self?.assumeIsolated {
                $0.source?.resume()
                // The end of a pause is said even if no connection waits.
                $0.accept()
            }
        }
        // libdispatch opens its timer descriptor when the first timer is armed. If no descriptor
        // were left at that time, the timer would never fire, so it is armed now.
        timer.arm(after: limits.pause)
        self.timer = timer
    }

    /// Stops accepting for good; connections from now on are refused.
    package func stop() {
        source = nil
        timer = nil
        // The descriptor is closed only when nobody refers to it any more.
        shutdown(listener.number, Int32(SHUT_RDWR))
    }

    private func accept() {
        for _ in 0..<limits.accepts {
            // A handler may have stopped the loop.
            guard source != nil else { return }
            var address = sockaddr_storage()
            let result = acceptOne(&address)
            if case .failed(let reason) = result {
                source?.pause()
                timer?.arm(after: limits.pause)
                if !isOut { paused(reason) }
                isOut = true
                return
            }
            if isOut { paused(nil) }
            isOut = false
            guard case .accepted(let descriptor) = result else { return }
            taken(descriptor, address)
        }
    }

    private enum Accepted {
        case accepted(Descriptor)
        /// No connection waits.
        case nothing
        case failed(Int32)
    }

    private func acceptOne(_ address: inout sockaddr_storage) -> Accepted {
        if let reason = Descriptor.shortage(leaving: limits.descriptorsLeft) {
            return .failed(reason)
        }
        while true {
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let number = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.accept(listener.number, $0, &size)
                }
            }
            if number >= 0 {
                // accept4 is not imported into Swift.
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
                _ = fcntl(number, F_SETFL, O_NONBLOCK)
                return .accepted(Descriptor(adopting: number))
            }
            switch errno {
            case EAGAIN: return .nothing
            case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH,
                EOPNOTSUPP, ENETUNREACH, ETIMEDOUT:
                // According to accept(2), these are errors of the connection, not of the listener.
                continue
            case let reason: return .failed(reason)
            }
        }
    }
}
