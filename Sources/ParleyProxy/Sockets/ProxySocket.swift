import Glibc
import ParleyLoop

/// The system calls of the proxy on its sockets; none blocks, and none raises SIGPIPE.
enum ProxySocket {
    /// What became of one read or write.
    enum Outcome: Hashable {
        case moved(Int)
        /// The stream has ended.
        case end
        /// Nothing for now.
        case wait
        case failed
    }

    /// Binds a socket and listens; an IPv6 address without a host serves IPv4 too.
    static func listen(on address: ProxyAddress) throws(AddressFault) -> Descriptor {
        let socket = try make(address)
        set(socket, SOL_SOCKET, SO_REUSEADDR, 1)
        guard address.withPointer({ bind(socket.number, $0, $1) }) == 0 else {
            throw AddressFault("bind", errno)
        }
        guard Glibc.listen(socket.number, 1_024) == 0 else { throw AddressFault("listen", errno) }
        return socket
    }

    /// The address that a socket is bound to.
    static func localAddress(_ socket: Descriptor) -> ProxyAddress {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(socket.number, $0, &size)
            }
        }
        return ProxyAddress(storage)
    }

    /// Begins to connect; the socket is writable once that has succeeded or failed.
    static func connect(to address: ProxyAddress) throws(AddressFault) -> Descriptor {
        let socket = try make(address)
        let result = address.withPointer { Glibc.connect(socket.number, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else { throw AddressFault("connect", errno) }
        return socket
    }

    /// Why the attempt to connect has failed; nil if it has not.
    static func failure(of socket: Descriptor) -> String? {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &size)
        return code == 0 ? nil : String(cString: strerror(code))
    }

    /// Every write leaves at once, as the toxics have cut them.
    static func tune(_ socket: Descriptor) {
        set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    static func read(
        _ socket: Descriptor,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> Outcome {
        while true {
            let count = recv(socket.number, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .moved(count) }
            if count == 0 { return .end }
            if errno == EAGAIN { return .wait }
            if errno != EINTR { return .failed }
        }
    }

    static func write(_ socket: Descriptor, _ bytes: UnsafeRawBufferPointer) -> Outcome {
        while true {
            let count = send(socket.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .moved(count) }
            if errno == EAGAIN { return .wait }
            if errno != EINTR { return .failed }
        }
    }

    /// Sends the end of the stream (FIN).
    static func sendEnd(_ socket: Descriptor) {
        shutdown(socket.number, Int32(SHUT_WR))
    }

    /// Makes closing a reset (RST).
    static func resetOnClose(_ socket: Descriptor) {
        var value = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            socket.number,
            SOL_SOCKET,
            SO_LINGER,
            &value,
            socklen_t(MemoryLayout<linger>.size)
        )
    }

    private static func make(_ address: ProxyAddress) throws(AddressFault) -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(address.family, kind, 0)
        guard number >= 0 else { throw AddressFault("socket", errno) }
        return Descriptor(adopting: number)
    }

    private static func set(_ socket: Descriptor, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(socket.number, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
