import Foundation
import Hummingbird
import ParleyAPI
import ParleyWeb
import Testing

typealias HTTPField = HTTPFields.Element

/// Makes requests of the page's server as a browser does.
struct PageClient: Sendable {
    /// Where the page is said to be served.
    static let address = PageAddress.usual
    static let host = "127.0.0.1:8275"
    static let origin = "http://127.0.0.1:8275"

    private let client: RouterClient
    private let door: PageDoor

    init(_ client: RouterClient, _ door: PageDoor) {
        self.client = client
        self.door = door
    }

    /// The cookie of a browser that is signed in.
    var cookie: String { String(door.cookie.prefix { $0 != ";" }) }

    /// A path with the proof of a page at an origin, which has the key of an origin.
    func proved(
        _ path: String,
        at origin: String = origin,
        keyOf keyOrigin: String = origin
    ) throws -> String {
        let nonce = String(repeating: "0", count: 32)
        let answer = try #require(door.answer(to: nonce, at: origin))
        let page = PageProof(key: door.key(at: keyOrigin), origin: origin)
        return path + (path.contains("?") ? "&" : "?") + "proof=" + page.ofPage(in: answer.run)
    }

    /// Makes a request with the cookie, the proof and, if it is not GET, the origin of the page.
    func call(
        _ method: String,
        _ path: String,
        _ body: [String] = [],
        fields more: [String: String] = [:],
        parts: Int? = nil,
        onPart: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) async throws -> RouterClient.Answer {
        var all = ["Cookie": cookie]
        if method != "GET" { all["Origin"] = Self.origin }
        return try await bare(
            method,
            try proved(path),
            body,
            fields: all.merging(more) { $1 },
            parts: parts,
            onPart: onPart
        )
    }

    /// Makes a request with these fields only.
    func bare(
        _ method: String,
        _ path: String,
        _ body: [String] = [],
        fields: [String: String] = [:],
        host: String? = PageClient.host,
        parts: Int? = nil,
        onPart: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) async throws -> RouterClient.Answer {
        var all = HTTPFields()
        for (name, value) in fields { all[try #require(HTTPField.Name(name))] = value }
        return try await client.request(
            method,
            path,
            all,
            body,
            authority: host,
            parts: parts,
            onPart: onPart
        )
    }

    /// The path of a new one-time link.
    func link() throws -> String {
        let link = try #require(door.link())
        return String(link.dropFirst(Self.origin.count))
    }
}

extension RouterClient.Answer {
    /// The value of a field.
    func field(_ name: String) throws -> String? { fields[try #require(HTTPField.Name(name))] }

    /// The events of a stream: kind, ID and data.
    var events: [(kind: String, id: String, data: Data)] {
        text.components(separatedBy: "\n\n").compactMap { block in
            var values: [String: String] = [:]
            for line in block.split(separator: "\n") {
                guard let end = line.firstRange(of: ": ") else { continue }
                values[String(line[..<end.lowerBound])] = String(line[end.upperBound...])
            }
            guard let kind = values["event"], let id = values["id"] else { return nil }
            return (kind, id, Data((values["data"] ?? "").utf8))
        }
    }
}
