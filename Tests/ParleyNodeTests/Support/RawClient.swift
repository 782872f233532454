import Foundation
import Glibc
import Testing

/// A TCP client that does not speak the protocol.
enum RawClient {
    /// Sends `bytes` to loopback and waits until the other side closes, at most ten seconds.
    static func send(_ bytes: [UInt8], toPort port: UInt16) async throws {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(socket >= 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        var events = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        #expect(poll(&events, 1, 10_000) == 1, "the node keeps a client that speaks no TLS")
    }
}
