import Glibc
import ParleyLoop

/// The system calls on sockets, with typed errors and without the signals and retries around them.
enum Socket {
    /// What one attempt to move bytes came to.
    enum Moved {
        /// This many bytes; fewer than asked for means that the kernel has had enough for now.
        case bytes(Int)
        /// The peer will send nothing more.
        case end
    }

    /// A socket for a connection to or a listener on `address`.
    ///
    /// - Throws: `system` with EMFILE if fewer than `left` descriptors would be left.
    static func make(
        for address: SocketAddress,
        leaving left: Int
    ) throws(TransportError) -> Descriptor {
        try checkRoom("socket", leaving: left)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(address.family, kind, 0)
        guard number >= 0 else { throw error("socket") }
        return Descriptor(adopting: number)
    }

    /// Begins to connect; true if that is done at once.
    static func connect(
        _ descriptor: Descriptor,
        to address: SocketAddress
    ) throws(TransportError) -> Bool {
        try bindToInterface(descriptor, of: address)
        let result = address.withSystemAddress { Glibc.connect(descriptor.number, $0, $1) }
        if result == 0 { return true }
        guard errno == EINPROGRESS || errno == EINTR else { throw error("connect") }
        return false
    }

    /// What became of a connection attempt whose socket can be written.
    static func checkConnected(_ descriptor: Descriptor) throws(TransportError) {
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &number, &size)
        guard number == 0 else { throw error("connect", number) }
    }

    /// Binds and listens.
    static func listen(
        _ descriptor: Descriptor,
        on address: SocketAddress,
        backlog: Int32
    ) throws(TransportError) {
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if address.family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        try bindToInterface(descriptor, of: address)
        let result = address.withSystemAddress { bind(descriptor.number, $0, $1) }
        guard result == 0, Glibc.listen(descriptor.number, backlog) == 0 else {
            throw switch errno {
            case EADDRINUSE: .portInUse(address.port)
            case EADDRNOTAVAIL: .addressNotHere(address)
            case EACCES: .portNotPermitted(address.port)
            default: error(result == 0 ? "listen" : "bind")
            }
        }
    }

    /// Takes the next waiting connection; nil if there is none.
    ///
    /// - Throws: `system` with EMFILE if fewer than `left` descriptors would be left.
    static func accept(
        _ listener: Descriptor,
        leaving left: Int
    ) throws(TransportError) -> (Descriptor, SocketAddress?)? {
        try checkRoom("accept", leaving: left)
        while true {
            var storage = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let number = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.accept(listener.number, $0, &size)
                }
            }
            if number >= 0 {
                // Swift's view of the C library has no accept4.
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
                _ = fcntl(number, F_SETFL, O_NONBLOCK)
                let descriptor = Descriptor(adopting: number)
                return (descriptor, remoteAddress(storage, of: descriptor))
            }
            switch errno {
            case EAGAIN: return nil
            case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH,
                EOPNOTSUPP, ENETUNREACH, ETIMEDOUT:
                // accept(2): errors of the connection that waited, not of the listener.
                continue
            default: throw error("accept")
            }
        }
    }

    /// The own end of a connection or listener.
    static func localAddress(_ descriptor: Descriptor) -> SocketAddress? {
        guard let storage = localStorage(descriptor) else { return nil }
        if let address = SocketAddress(storage) { return address }
        guard let ip = unscoped(storage) else { return nil }
        return SocketAddress(storage, interface: LocalAddress.interface(of: ip))
    }

    /// Reads once into `buffer`; `.bytes(0)` if nothing has arrived.
    static func receive(
        _ descriptor: Descriptor,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(TransportError) -> Moved {
        while true {
            let count = recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno == EAGAIN { return .bytes(0) }
            if errno != EINTR { throw error("recv") }
        }
    }

    /// Writes once; answers how many bytes went, fewer than all if the kernel has had enough.
    static func send(
        _ descriptor: Descriptor,
        _ bytes: UnsafeRawBufferPointer
    ) throws(TransportError) -> Int {
        while true {
            let flags = Int32(MSG_NOSIGNAL)
            let count = Glibc.send(descriptor.number, bytes.baseAddress, bytes.count, flags)
            if count >= 0 { return count }
            if errno == EAGAIN { return 0 }
            if errno != EINTR { throw error("send") }
        }
    }

    /// Sends the end of the stream after what was written.
    static func sendEnd(_ descriptor: Descriptor) {
        shutdown(descriptor.number, Int32(SHUT_WR))
    }

    /// Makes closing throw away what was not sent and tell the peer so at once.
    static func discardOnClose(_ descriptor: Descriptor) {
        var value = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(descriptor.number, SOL_SOCKET, SO_LINGER, &value, size)
    }

    /// Sets what every connection has.
    static func tune(_ descriptor: Descriptor, _ settings: TransportSettings) {
        let tcp = Int32(IPPROTO_TCP)
        set(descriptor, tcp, TCP_NODELAY, 1)
        set(descriptor, tcp, TCP_USER_TIMEOUT, Int32(settings.userTimeout / .milliseconds(1)))
        set(descriptor, tcp, TCP_NOTSENT_LOWAT, Int32(settings.unsentBytes))
        set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(descriptor, tcp, TCP_KEEPIDLE, settings.keepalive.idle)
        set(descriptor, tcp, TCP_KEEPINTVL, settings.keepalive.interval)
        set(descriptor, tcp, TCP_KEEPCNT, settings.keepalive.count)
    }

    /// Our error for `number`, which `call` has left in `errno`.
    static func error(_ call: String, _ number: Int32 = errno) -> TransportError {
        switch number {
        case ECONNREFUSED: .refused
        case ECONNRESET, EPIPE, ECONNABORTED: .reset
        case ETIMEDOUT: .timedOut
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN: .unreachable
        default: .system(call: call, errno: number)
        }
    }

    /// The kernel gives the lowest free number: where that is shows how many are left.
    private static func checkRoom(_ call: String, leaving left: Int) throws(TransportError) {
        let lowest = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard lowest >= 0 else { throw error(call) }
        close(lowest)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard rlim_t(lowest) + rlim_t(left) < limit.rlim_cur else {
            throw error(call, EMFILE)
        }
    }

    /// IPv4 has no place for the interface in the address itself.
    private static func bindToInterface(
        _ descriptor: Descriptor,
        of address: SocketAddress
    ) throws(TransportError) {
        guard address.interface != 0, address.family == AF_INET else { return }
        let name = Interface.name(of: address.interface)
        let size = socklen_t(name.utf8.count)
        let result = setsockopt(descriptor.number, SOL_SOCKET, SO_BINDTODEVICE, name, size)
        guard result == 0 else { throw error("setsockopt") }
    }

    private static func remoteAddress(
        _ storage: sockaddr_storage,
        of descriptor: Descriptor
    ) -> SocketAddress? {
        if let address = SocketAddress(storage) { return address }
        // A link-local IPv4 peer: it is where our end of the connection is.
        guard let local = localStorage(descriptor).flatMap(unscoped) else { return nil }
        return SocketAddress(storage, interface: LocalAddress.interface(of: local))
    }

    private static func localStorage(_ descriptor: Descriptor) -> sockaddr_storage? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor.number, $0, &size)
            }
        }
        return result == 0 ? storage : nil
    }

    /// The IP address alone, which an address without its interface still has.
    private static func unscoped(_ storage: sockaddr_storage) -> IPAddress? {
        SocketAddress(storage, interface: .max)?.ip
    }

    private static func set(
        _ descriptor: Descriptor,
        _ level: Int32,
        _ option: Int32,
        _ value: Int32
    ) {
        var value = value
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor.number, level, option, &value, size)
    }
}
