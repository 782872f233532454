import Foundation
import Glibc
import Testing

/// A question to the control API of a node, as `curl --unix-socket` would ask it.
enum ControlRequest {
    struct Answer: Sendable {
        let status: Int
        let body: Data
    }

    /// Asks and waits for the answer, at most five seconds.
    static func get(_ path: String, socket: String) throws -> Answer {
        let descriptor = try connected(to: socket)
        defer { close(descriptor) }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n".utf8)
        let sent = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
        try #require(sent == request.count)
        var bytes = Data()
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &part, part.count, 0)
            try #require(count >= 0, "\(path): \(String(cString: strerror(errno)))")
            if count == 0 { break }
            bytes.append(contentsOf: part[..<count])
        }
        let end = try #require(bytes.range(of: Data("\r\n\r\n".utf8)), "\(path): no answer")
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let status = try #require(
            Int(head.split(separator: " ").dropFirst().first ?? ""),
            "\(head)"
        )
        return Answer(status: status, body: Data(bytes[end.upperBound...]))
    }

    private static func connected(to path: String) throws -> Int32 {
        let descriptor = Glibc.socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            0
        )
        try #require(descriptor >= 0)
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path), "\(path)")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw Unreachable(path: path, reason: reason)
        }
        return descriptor
    }

    /// Nobody listens there.
    struct Unreachable: Error {
        let path: String
        let reason: String
    }
}
