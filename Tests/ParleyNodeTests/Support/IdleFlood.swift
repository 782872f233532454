import Glibc
import Testing

/// Connections to a node on which nothing is sent, from several addresses of loopback.
///
/// It runs on the caller's thread: `renew` opens again what the node has closed.
final class IdleFlood {
    private var sockets: [Int32]
    private let port: UInt16
    private let sources: Int
    /// How often a connection was opened.
    private(set) var opened = 0

    /// Opens `count` connections from 127.0.0.2 and the `sources - 1` addresses after it.
    init(_ count: Int, sources: Int, toPort port: UInt16) {
        self.port = port
        self.sources = sources
        sockets = Array(repeating: -1, count: count)
        renew()
    }

    deinit {
        for socket in sockets where socket >= 0 { close(socket) }
    }

    /// Opens every connection again that has ended.
    func renew() {
        for index in sockets.indices where hasEnded(sockets[index]) {
            if sockets[index] >= 0 { close(sockets[index]) }
            sockets[index] = open(from: UInt32(2 + index % sources))
        }
    }

    private func hasEnded(_ socket: Int32) -> Bool {
        guard socket >= 0 else { return true }
        var events = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&events, 1, 0) != 0
    }

    private func open(from host: UInt32) -> Int32 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return -1 }
        let isConnected =
            call(bind, socket, host: host, port: 0)
            && call(connect, socket, host: 1, port: port)
        guard isConnected else {
            close(socket)
            return -1
        }
        opened += 1
        return socket
    }

    private func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
        _ socket: Int32,
        host: UInt32,
        port: UInt16
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 | host).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
