import Foundation
import Hummingbird
import Logging
import ParleyAPI
import ParleyNode
import ParleyWeb
import Testing

/// A phone in front of the server for guests: sends what a browser sends, and keeps its cookie.
struct GuestClient: Sendable {
    private let client: RouterClient
    private let door: GuestDoor
    let host: String
    /// The cookie and the key of the page; nil before the phone has a seat.
    private(set) var cookie: String?
    private(set) var key: String?

    init(_ bench: ControlBench) throws {
        client = RouterClient(responder: bench.guests.responder)
        door = bench.guests.door
        host = "127.0.0.1:\(try #require(door.address).port)"
    }

    var origin: String { "http://" + host }

    /// Sends the form behind the link.
    mutating func join(_ code: String, _ fields: String) async throws -> RouterClient.Answer {
        let answer = try await request(
            "POST",
            "/g/\(code)",
            [fields],
            ["Origin": origin, "Content-Type": "application/x-www-form-urlencoded"]
        )
        if let set = try answer.field("Set-Cookie") { cookie = String(set.prefix { $0 != ";" }) }
        if let range = answer.text.firstRange(of: /setItem\("[^"]+", "([0-9a-f]+)"\)/) {
            let item = answer.text[range]
            key = item.split(separator: "\"").last { $0.count == 64 }.map(String.init)
        }
        return answer
    }

    /// A path with the proof of the page.
    func proved(_ path: String) throws -> String {
        let page = PageProof(key: try #require(key), origin: origin)
        return path + (path.contains("?") ? "&" : "?") + "proof=" + page.ofPage(in: door.runName)
    }

    /// Makes a request as the page of the guest.
    func call(
        _ method: String,
        _ path: String,
        _ body: [String] = [],
        parts: Int? = nil
    ) async throws -> RouterClient.Answer {
        var fields = ["Content-Type": "application/json"]
        if method != "GET" { fields["Origin"] = origin }
        return try await request(method, try proved(path), body, fields, parts: parts)
    }

    /// Makes a request with the cookie, if there is one, and these fields.
    func request(
        _ method: String,
        _ path: String,
        _ body: [String] = [],
        _ fields: [String: String] = [:],
        parts: Int? = nil
    ) async throws -> RouterClient.Answer {
        var all = HTTPFields()
        if let cookie { all[.cookie] = cookie }
        for (name, value) in fields { all[try #require(HTTPField.Name(name))] = value }
        return try await client.request(method, path, all, body, authority: host, parts: parts)
    }
}

extension ControlBench {
    /// Opens the conversation to guests; returns what the owner's page gets.
    func openToGuests(_ fields: String = "{}") async throws -> [String: Any] {
        let answer = try await client.call("POST", "conversations/games/guests", [fields])
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.object()
    }

    /// A phone with a seat for a guest of that name.
    func phone(_ name: String, _ code: String) async throws -> GuestClient {
        var phone = try GuestClient(self)
        let answer = try await phone.join(code, "name=\(name)")
        #expect(answer.status == 200, "\(answer.text)")
        return phone
    }
}
