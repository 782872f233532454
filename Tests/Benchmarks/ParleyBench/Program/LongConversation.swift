import Foundation
import Glibc
import PageSupport
import ParleyAPI

extension ProgramMeasurements {
    static let transcript = "ms transcript"
    static let firstPage = "ms first entries"
    static let page = "ms entries"
    static let found = "ms search"
    static let grown = "MB grown"

    /// What it takes to read a conversation of 100,000 sessions in pages, after a restart of its
    /// node: the last 50 entries again and again, and then all of it from its end to its beginning.
    static func read(_ bench: Bench) async throws -> [Figure] {
        let sessions = try await StoredSessions(bench)
        let node = sessions.node
        try await node.restart {}
        let meter = try ProcessMeter(node.processID)
        let before = meter.ownKilobytes
        let repeats = bench.isQuick ? 5 : 20
        let first = try await Cost(meter, times: 1) { _ = try last(of: node) }
        let pages = try await Cost(meter, times: repeats) { _ = try last(of: node) }
        let transcripts = try await Cost(meter, times: repeats) {
            _ = try await node.run("transcript", "-c", "bench", "--limit", "50")
        }
        var (most, count, cursor) = (meter.ownKilobytes, 0, String?.none)
        let all = try await Cost(meter, times: 1) {
            repeat {
                let part = try entries(of: node, limit: 200, before: cursor)
                count += part.entries.count
                cursor = part.next
                most = max(most, meter.ownKilobytes)
            } while cursor != nil
        }
        let index = try await Cost(meter, times: 1) { try search(node) }
        let searches = try await Cost(meter, times: repeats) { try search(node) }
        await sessions.end()
        guard count == sessions.count else { throw BenchError.wrongCount("\(count) entries") }
        return [
            Figure(transcript, transcripts.median), Figure(firstPage, first.median),
            Figure(page, pages.median), Figure("ms first search", index.median),
            Figure(found, searches.median), Figure("s all entries", all.median / 1e3),
            Figure("ms processor transcript", transcripts.processor),
            Figure("ms processor first entries", first.processor),
            Figure("ms processor entries", pages.processor),
            Figure("s processor all", all.processor / 1e3),
            Figure(grown, (most - before) / 1_024),
        ]
    }

    /// What some calls take, in milliseconds each.
    private struct Cost {
        let median: Double
        /// The mean processor time of the node and of the commands that have ended.
        let processor: Double

        init(_ meter: ProcessMeter, times: Int, _ act: () async throws -> Void) async throws {
            var took: [Double] = []
            let before = meter.processorSeconds + ProgramMeasurements.endedChildrenSeconds
            for _ in 0..<times {
                let begin = ProcessMeter.now
                try await act()
                took.append((ProcessMeter.now - begin) * 1e3)
            }
            let after = meter.processorSeconds + ProgramMeasurements.endedChildrenSeconds
            median = took.quantile(0.5)
            processor = (after - before) * 1e3 / Double(times)
        }
    }

    /// What the page gets, as far as it is looked at here.
    private struct Entries: Decodable {
        struct Entry: Decodable {}

        let entries: [Entry]
        let next: String?
    }

    private static func last(of node: PageNode) throws -> Entries {
        let part = try entries(of: node, limit: 50, before: nil)
        guard part.entries.count == 50 else {
            throw BenchError.wrongCount("\(part.entries.count) entries")
        }
        return part
    }

    /// A search among all messages, on a connection of its own.
    private static func search(_ node: PageNode) throws {
        let body = try ControlRequest("/v1/search?text=xxx&limit=50").send(to: node.socket)
        let found = try JSON.decode(SearchResult.self, from: body).hits.count
        guard found == 50 else { throw BenchError.wrongCount("\(found) hits") }
    }

    /// Some entries of the conversation as the page asks for them, on a connection of their own.
    private static func entries(
        of node: PageNode,
        limit: Int,
        before cursor: String?
    ) throws -> Entries {
        let query = "limit=\(limit)" + (cursor.map { "&before=\($0)" } ?? "")
        let path = "/v1/conversations/bench/entries?\(query)"
        let body = try ControlRequest(path).send(to: node.socket)
        return try JSON.decode(Entries.self, from: body)
    }
}

/// A request to the control API of a node, on its Unix socket.
struct ControlRequest {
    private let path: String

    init(_ path: String) { self.path = path }

    /// The body of the answer.
    func send(to place: String) throws -> Data {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: place.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw BenchError.system("no connection to \(place)") }
        let fields = "Host: parley\r\nConnection: close\r\n"
        let request = Array("GET \(path) HTTP/1.1\r\n\(fields)\r\n".utf8)
        guard Glibc.send(number, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else { throw BenchError.system("nothing can be sent to \(place)") }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while case let count = recv(number, &buffer, buffer.count, 0), count > 0 {
            answer += buffer[..<count]
        }
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasPrefix("HTTP/1."), text.dropFirst(9).hasPrefix("200"),
            let head = text.range(of: "\r\n\r\n")
        else { throw BenchError.unexpected(String(text.prefix(200))) }
        return Data(text[head.upperBound...].utf8)
    }
}
