import Glibc
import Testing

/// Another program on the port of a page while its node is down, which writes down every request
/// and answers it with what it knows.
final class Squatter {
    /// The requests, each with its header.
    private(set) var heard: [String] = []
    private let listener: Int32
    private let answer: (String) -> String

    /// Listens on a port of 127.0.0.1.
    init(port: Int, answer: @escaping (String) -> String) throws {
        self.answer = answer
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue
        listener = socket(AF_INET, Int32(kind), 0)
        var reuses: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuses, size)
        try #require(PageSocket.withLoopback(port) { bind(listener, $0, $1) } == 0)
        try #require(listen(listener, 64) == 0)
    }

    deinit { close(listener) }

    /// Answers the connections that wait; one that says nothing for 0.2 s is closed.
    func serve() {
        while case let number = accept(listener, nil, nil), number >= 0 {
            defer { close(number) }
            var limit = timeval(tv_sec: 0, tv_usec: 200_000)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            let count = recv(number, &buffer, buffer.count, 0)
            guard count > 0 else { continue }
            let request = String(decoding: buffer[..<count], as: UTF8.self)
            heard.append(request)
            let body = answer(request)
            let bytes = Array(
                """
                HTTP/1.1 \(body.isEmpty ? "401 Unauthorized" : "200 OK")\r
                Content-Type: application/json\r
                Content-Length: \(body.utf8.count)\r
                Connection: close\r
                \r
                \(body)
                """.utf8
            )
            _ = send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }
}
