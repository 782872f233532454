import Foundation
import Glibc
import Testing

/// A connection to the page of a node as a program of this machine makes it, with a time limit of
/// 10 s for each operation.
final class PageSocket {
    private let number: Int32

    /// Connects to a port of 127.0.0.1.
    init(port: Int) throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = Self.withLoopback(port) { connect(number, $0, $1) }
        try #require(result == 0)
    }

    deinit { close(number) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads until the other end closes the connection; what has come until then if it does not.
    func readToEnd() -> String {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = recv(number, &buffer, buffer.count, 0), count > 0 {
            all += buffer[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// The response to a request on a connection of its own.
    static func ask(
        _ path: String,
        _ method: String = "GET",
        port: Int,
        fields: [String] = []
    ) throws -> String {
        let socket = try PageSocket(port: port)
        let lines =
            ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + fields
        socket.send(lines.map { $0 + "\r\n" }.joined() + "\r\n")
        return socket.readToEnd()
    }

    static func withLoopback<Result>(
        _ port: Int,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
