import Glibc
import ParleyLoop

/// The system calls on sockets, with typed errors; they retry on EINTR and raise no SIGPIPE.
enum Socket {
    /// The result of one attempt to read.
    enum Moved {
        /// This many bytes were read; 0 if nothing has arrived.
        case bytes(Int)
        /// The peer will send nothing more.
        case end
    }

    /// Makes a socket for a connection to `address` or a listener on it.
    ///
    /// - Throws: `system` with EMFILE if fewer than `left` descriptors would be left.
    static func make(
        for address: SocketAddress,
        leaving left: Int
    ) throws(TransportError) -> Descriptor {
        if let reason = Descriptor.shortage(leaving: left) { throw error("socket", reason) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(address.family, kind, 0)
        guard number >= 0 else { throw error("socket") }
        return Descriptor(adopting: number)
    }

    /// Starts to connect; returns true if the connection is established at once.
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

    /// Throws the error of a connection attempt, if it has failed, after its socket became
    /// writable.
    static func checkConnected(_ descriptor: Descriptor) throws(TransportError) {
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &number, &size)
        guard number == 0 else { throw error("connect", number) }
    }

    /// The smoothed round trip time of a connection; nil if the kernel does not tell it.
    static func roundTrip(_ descriptor: Descriptor) -> Duration? {
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        let result = getsockopt(descriptor.number, Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
        guard result == 0, info.tcpi_rtt > 0 else { return nil }
        return .microseconds(Int(info.tcpi_rtt))
    }

    /// The bytes in the send queue of a connection, sent or not, that the peer's kernel has not
    /// acknowledged.
    static func unacknowledgedBytes(_ descriptor: Descriptor) -> Int {
        var bytes: Int32 = 0
        // SIOCOUTQ in tcp(7), which is TIOCOUTQ.
        guard ioctl(descriptor.number, UInt(TIOCOUTQ), &bytes) == 0 else { return 0 }
        return Int(bytes)
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

    /// The local address of a connection or listener.
    static func localAddress(_ descriptor: Descriptor) -> SocketAddress? {
        guard let storage = localStorage(descriptor) else { return nil }
        if let address = SocketAddress(storage) { return address }
        guard let ip = unscoped(storage) else { return nil }
        return SocketAddress(storage, interface: LocalAddress.interface(of: ip))
    }

    /// Reads once into `buffer`; returns `.bytes(0)` if nothing has arrived.
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

    /// Writes once; returns the number of bytes that the kernel accepted, which may be less than
    /// all.
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

    /// Sends the end of the stream (FIN) after the written bytes.
    static func sendEnd(_ descriptor: Descriptor) {
        shutdown(descriptor.number, Int32(SHUT_WR))
    }

    /// Makes closing discard unsent bytes and reset the connection (RST).
    static func discardOnClose(_ descriptor: Descriptor) {
        var value = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(descriptor.number, SOL_SOCKET, SO_LINGER, &value, size)
    }

    /// Sets the options that every connection has.
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

    /// The error for `number`, the `errno` of the system call `call`.
    static func error(_ call: String, _ number: Int32 = errno) -> TransportError {
        switch number {
        case ECONNREFUSED: .refused
        case ECONNRESET, EPIPE, ECONNABORTED: .reset
        case ETIMEDOUT: .timedOut
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN: .unreachable
        default: .system(call: call, errno: number)
        }
    }

    /// Binds the socket to the interface of a link-local IPv4 address, because a `sockaddr_in` has
    /// no field for the interface.
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

    /// The address of the other end of an accepted connection; nil if it is of no use.
    static func remoteAddress(
        _ storage: sockaddr_storage,
        of descriptor: Descriptor
    ) -> SocketAddress? {
        if let address = SocketAddress(storage) { return address }
        // The peer has a link-local IPv4 address, so it is on the interface of our local address.
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

    /// The IP address without its interface, even if the interface is unknown.
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
