import Foundation
import Glibc
import ParleyAPI
import Testing

/// Speaks HTTP on a node's control socket without the client of Parley.
enum ControlSocketClient {
    struct Answer: Sendable {
        let status: Int
        let body: Data

        func document<Document: Decodable>(_ type: Document.Type) throws -> Document {
            try JSON.decode(type, from: body)
        }
    }

    /// Posts a document to a path of `/v1` and waits for the whole answer, at most ten seconds.
    static func post(_ path: String, _ body: Data, to node: NodeProcess) throws -> Answer {
        try send("POST", path, body, to: node)
    }

    /// Sends a request to a path of `/v1` and waits for the whole answer, at most ten seconds.
    static func send(
        _ method: String,
        _ path: String,
        _ body: Data = Data(),
        to node: NodeProcess
    ) throws -> Answer {
        try send(method, path, body, toNodeIn: node.data)
    }

    /// Sends a request to a path of `/v1` of the node with that data directory, and waits for the
    /// whole answer, at most ten seconds.
    static func send(
        _ method: String,
        _ path: String,
        _ body: Data = Data(),
        toNodeIn data: String
    ) throws -> Answer {
        let head = """
            \(method) /v1/\(path) HTTP/1.1\r
            Host: parley\r
            Connection: close\r
            Content-Length: \(body.count)\r
            \r

            """
        let socket = try connection(toNodeIn: data)
        defer { close(socket) }
        let bytes = try exchange(Data(head.utf8) + body, socket)
        let end = try #require(bytes.firstRange(of: Data("\r\n\r\n".utf8)))
        let line = String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self)
        let status = try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return Answer(status: status, body: bytes[end.upperBound...])
    }

    /// Opens a connection to a node, which the caller closes.
    static func connection(to node: NodeProcess) throws -> Int32 {
        try connection(toNodeIn: node.data)
    }

    private static func connection(toNodeIn data: String) throws -> Int32 {
        let path = ControlSocket.path(inDataDirectory: URL(filePath: data))
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(socket >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        try #require(path.utf8.count < capacity)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(connected == 0)
        return socket
    }

    private static func exchange(_ bytes: Data, _ socket: Int32) throws -> Data {
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        let sent = bytes.withUnsafeBytes {
            Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        try #require(sent == bytes.count)
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            try #require(count >= 0, "no answer in time")
            guard count > 0 else { return answer }
            answer.append(contentsOf: buffer[..<count])
        }
    }
}
