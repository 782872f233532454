import Foundation
import Glibc

/// Speaks HTTP/1.1 with a server on 127.0.0.1, one connection for each request.
struct LoopbackClient: Sendable {
    let port: UInt16

    /// The time within which a server has to answer, in seconds.
    private static let patience = 60

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Sends a request, and returns the status and the body of the answer.
    func send(_ method: String, _ path: String, _ body: Data = Data()) throws -> (Int, Data) {
        let head = """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Connection: close\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r
            \r

            """
        let answer = try exchange(Data(head.utf8) + body)
        guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) else {
            throw Failure(description: "\(method) \(path): no answer")
        }
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        guard let status else { throw Failure(description: "\(method) \(path): no status") }
        return (status, answer[end.upperBound...])
    }

    private func exchange(_ bytes: Data) throws -> Data {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Failure(description: "no socket") }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw Failure(description: "nobody listens on port \(port)") }
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        try send(bytes, to: socket)
        return try received(from: socket)
    }

    private func send(_ bytes: Data, to socket: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "cannot write to port \(port)") }
            rest = rest.dropFirst(count)
        }
    }

    private func received(from socket: Int32) throws -> Data {
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Failure(description: "port \(port) does not answer") }
            answer.append(contentsOf: buffer[..<count])
            if count == 0 || Self.isWhole(answer) { return answer }
        }
    }

    /// Whether the answer has all the bytes that its head announces.
    private static func isWhole(_ answer: Data) -> Bool {
        guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) else { return false }
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).lowercased()
        for line in head.split(separator: "\r\n") where line.hasPrefix("content-length:") {
            let count = Int(line.dropFirst("content-length:".count).drop { $0 == " " })
            return count.map { answer.count - end.upperBound >= $0 } ?? false
        }
        return false
    }
}
