import Glibc
import TestSupport

/// A TCP socket of the loopback, for tests: nothing blocks, and waiting is polling.
final class TestSocket: Sendable {
    let number: Int32

    enum End: Hashable {
        case end
        case reset
    }

    private struct NotPossible: Error {
        let call: String
        let code: Int32
    }

    private init(adopting number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
    }

    deinit { close(number) }

    /// A socket that listens on a free port.
    static func listening() throws -> TestSocket {
        let server = TestSocket(adopting: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        try server.with(port: 0) { bind(server.number, $0, $1) }
        guard listen(server.number, 1_024) == 0 else {
            throw NotPossible(call: "listen", code: errno)
        }
        return server
    }

    /// A connection to a port.
    static func connected(to port: Int) throws -> TestSocket {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let client = TestSocket(adopting: number)
        _ = fcntl(number, F_SETFL, 0)
        try client.with(port: port) { connect(number, $0, $1) }
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        return client
    }

    private func with(
        port: Int,
        _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw NotPossible(call: "connect", code: errno) }
    }

    var port: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(number, $0, &size)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The next connection of a listening socket.
    func accepted() async throws -> TestSocket {
        try await eventually("connection", within: .seconds(20), every: .milliseconds(1)) {
            let accepted = accept(number, nil, nil)
            return accepted < 0 ? nil : TestSocket(adopting: accepted)
        }
    }

    func send(_ bytes: some Sequence<UInt8>) async throws {
        var left = Array(bytes)[...]
        try await eventually("room to send", within: .seconds(20), every: .milliseconds(1)) {
            let count = left.withUnsafeBytes {
                Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { left = left.dropFirst(count) }
            return left.isEmpty
        }
    }

    func sendEnd() { shutdown(number, Int32(SHUT_WR)) }

    /// Closing then resets the connection.
    func resetOnClose() {
        var value = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &value, size)
    }

    /// The bytes that have arrived.
    func arrived(atMost count: Int = 1 << 20) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let got = recv(number, &buffer, count, 0)
        return Array(buffer.prefix(max(0, got)))
    }

    /// So many bytes, once they are there.
    func receive(_ count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await eventually("\(count) bytes", within: .seconds(20), every: .milliseconds(1)) {
            bytes += arrived(atMost: count - bytes.count)
            return bytes.count == count
        }
        return bytes
    }

    /// How a connection ends whose server, if it gets that far, closes it at once.
    func end(closing server: TestSocket) async throws -> End {
        try await eventually("end", within: .seconds(20), every: .milliseconds(1)) { () -> End? in
            let accepted = accept(server.number, nil, nil)
            if accepted >= 0 { close(accepted) }
            var byte: UInt8 = 0
            let got = recv(number, &byte, 1, 0)
            if got == 0 { return .end }
            return got < 0 && errno != EAGAIN ? .reset : nil
        }
    }

    /// Everything until the end, and which end it was.
    func receiveAll() async throws -> (bytes: [UInt8], end: End) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let end = try await eventually("end", within: .seconds(20), every: .milliseconds(1)) {
            () -> End? in
            while true {
                let got = recv(number, &buffer, buffer.count, 0)
                if got == 0 { return .end }
                if got < 0 { return errno == EAGAIN ? nil : .reset }
                bytes += buffer.prefix(got)
            }
        }
        return (bytes, end)
    }
}
