import Glibc
import ParleyLoop
import ParleyTransport

/// A blocking TCP socket under the control of a test, with a timeout of 10 s for each operation.
final class RawPeer {
    let number: Int32
    private let owner: Descriptor

    /// Connects to `port` on 127.0.0.1.
    init(port: UInt16) throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        owner = Descriptor(adopting: number)
        try setOptions()
        var address = Self.loopback(port)
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let size = socklen_t(MemoryLayout<sockaddr_in>.size)
                try check(connect(number, $0, size), "connect")
            }
        }
    }

    /// Takes over an accepted socket.
    init(adopting number: Int32) throws {
        self.number = number
        owner = Descriptor(adopting: number)
        try setOptions()
    }

    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Reads until the stream ends; nil if it was reset.
    func readToEnd() -> [UInt8]? {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(number, &buffer, buffer.count, 0)
            if count == 0 { return all }
            if count < 0 { return nil }
            all += buffer[..<count]
        }
    }

    /// Resets the connection; the descriptor stays open.
    func cut() {
        var value = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
        // Connecting to AF_UNSPEC dissolves the association and so resets the connection without
        // closing the descriptor.
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(number, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    func endSending() { shutdown(number, Int32(SHUT_WR)) }

    static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private func setOptions() throws {
        var yes: Int32 = 1
        let width = socklen_t(MemoryLayout<Int32>.size)
        try check(
            setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, width),
            "setsockopt"
        )
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        try check(setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, size), "setsockopt")
        try check(setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, size), "setsockopt")
    }
}

/// A blocking listener on 127.0.0.1 for tests of the dialling side.
final class RawListener {
    let number: Int32
    let port: UInt16
    private let owner: Descriptor

    init(backlog: Int32 = 16) throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.number = number
        owner = Descriptor(adopting: number)
        var address = RawPeer.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, size) | listen(number, backlog) | getsockname(number, $0, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try check(result, "listen")
    }

    var address: SocketAddress { .loopback4(port: port) }

    /// The next connection; blocks until there is one.
    func accept() throws -> RawPeer {
        let accepted = Glibc.accept(number, nil, nil)
        try check(accepted, "accept")
        return try RawPeer(adopting: accepted)
    }
}

/// The number of descriptors of this process that are sockets.
func openSockets() -> Int {
    (0..<4_096).count { number in
        var status = stat()
        return fstat(Int32(number), &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}

/// Throws if `result` is the result of a failed system call.
func check(_ result: Int32, _ call: String) throws {
    guard result >= 0 else { throw TestFailure("\(call): errno \(errno)") }
}
