import Foundation
import ParleyNode
import StickerSheet
import Testing

/// A valid request to every route of the control API.
@Suite(.timeLimit(.minutes(20)))
struct RouteTests {
    /// A valid request and the expected response.
    struct Route: Sendable, CustomTestStringConvertible {
        let method: String
        /// The path as in `docs/openapi.yaml`.
        let template: String
        let status: Int
        /// Keys of the object in the response, or of the first object in its list.
        let keys: Set<String>
        let type: String?
        /// The number of parts of the response to wait for; nil for all.
        let parts: Int?
        let path: @Sendable (ControlBench) async throws -> String
        let body: @Sendable (ControlBench) async throws -> [String]

        var testDescription: String { "\(method) \(template)" }

        init(
            _ method: String,
            _ template: String,
            _ status: Int,
            _ keys: Set<String>,
            type: String? = "application/json",
            parts: Int? = nil,
            path: @escaping @Sendable (ControlBench) async throws -> String,
            body: @escaping @Sendable (ControlBench) async throws -> [String] = { _ in [] }
        ) {
            self.method = method
            self.template = template
            self.status = status
            self.keys = keys
            self.type = type
            self.parts = parts
            self.path = path
            self.body = body
        }
    }

    /// The ID of a device that no node has met.
    private static let device =
        "XHA6P55-TYHZAVN-W4ZQBPS-GOIHG3J-YK3OW66-LUM5X4N-R4VFSWN-LSIQUQO"
    private static let message: Set<String> = ["kind", "session", "id", "url", "sender"]
    private static let app = "conversations/games/apps/tictactoe"
    private static let screen: Set<String> = ["app", "conversation", "version", "text", "actions"]

    static let routes = commands + pages + pairings + guests + files

    /// The routes of files of any size.
    private static let files: [Route] = {
        let (path, keys) = (
            "/conversations/{name}/files/{session}", Set(["file", "state", "mine"])
        )
        let one: @Sendable (ControlBench) async throws -> String = { bench in
            "conversations/games/files/\(try await bench.offered())"
        }
        return [
            Route("GET", "/files", 200, keys) { bench in
                _ = try await bench.offered()
                return "files"
            },
            Route("POST", "/files/check", 204, [], type: nil) { _ in
                "files/check"
            } body: { _ in
                [#"{"bytes":5}"#]
            },
            Route("POST", "/conversations/{name}/files", 201, ["session", "id"]) { _ in
                "conversations/games/files?name=film"
            } body: { _ in
                ["bytes"]
            },
            Route("GET", path, 200, keys, path: one),
            Route("PUT", path, 200, keys, path: one),
            Route("DELETE", path, 200, keys, path: one),
            Route(
                "GET",
                path + "/content",
                200,
                [],
                type: "application/octet-stream",
                path: { try await one($0) + "/content" }
            ),
        ]
    }()

    /// The routes by which the owner lets guests in.
    private static let guests: [Route] = {
        let (path, keys) = ("/conversations/{name}/guests", Set(["links", "open", "seats"]))
        let all: @Sendable (ControlBench) async throws -> String = { _ in
            "conversations/games/guests"
        }
        let one: @Sendable (ControlBench) async throws -> String = { bench in
            "conversations/games/guests/\(try await bench.seatedGuest())"
        }
        let name: @Sendable (ControlBench) async throws -> [String] = { _ in
            [#"{"name":"Tom"}"#]
        }
        return [
            Route("GET", path, 200, keys, path: all),
            Route("POST", path, 200, keys, path: all) { _ in [#"{"seats":4}"#] },
            Route("DELETE", path, 200, keys, path: all),
            Route("POST", path + "/{seat}", 200, keys, path: one, body: name),
            Route("DELETE", path + "/{seat}", 200, keys, path: one),
        ]
    }()

    private static func endingInvite(_ bench: ControlBench) async throws {
        let body = #"{"role":"reader","uses":2}"#
        _ = try await bench.client.call("POST", "conversations/games/invites", [body])
    }

    /// The routes that commands use.
    private static let commands: [Route] = [
        Route("GET", "/status", 200, ["device", "addresses", "store"]) { _ in "status" },
        Route("GET", "/peers", 200, []) { _ in "peers" },
        Route("GET", "/nearby", 200, []) { _ in "nearby" },
        Route("GET", "/conflicts", 200, []) { _ in "conflicts" },
        Route("GET", "/devices", 200, []) { _ in "devices" },
        Route(
            "POST",
            "/devices",
            200,
            ["device", "list"],
            path: { _ in "devices" },
            body: { _ in [#"{"device":"\#(Self.device)","list":"blocked"}"#] }
        ),
        Route(
            "POST",
            "/repairs",
            204,
            [],
            type: nil,
            path: { _ in "repairs" },
            body: { _ in [#"{"sessions":[1,99],"pictures":["ab"]}"#] }
        ),
        Route("GET", "/conversations", 200, ["name", "id", "role"]) { _ in "conversations" },
        Route(
            "POST",
            "/conversations",
            201,
            ["name", "id", "role"],
            path: { _ in "conversations" },
            body: { _ in [#"{"name":"more games"}"#] }
        ),
        Route("GET", "/conversations/{name}/members", 200, ["device", "role", "own"]) { _ in
            "conversations/games/members"
        },
        Route(
            "POST",
            "/conversations/{name}/keys",
            201,
            ["conversation", "generation", "stays"],
            path: { _ in "conversations/games/keys" },
            body: { _ in [#"{"without":[]}"#] }
        ),
        Route(
            "POST",
            "/person/lost",
            200,
            ["device", "name", "conversations"],
            path: { _ in "person/lost" },
            body: { [#"{"device":"\#(try await $0.startMember())"}"#] }
        ),
        Route("GET", "/invites", 200, ["number", "role", "state", "uses", "came"]) { bench in
            try await endingInvite(bench)
            return "invites"
        },
        Route("DELETE", "/invites/{number}", 204, [], type: nil) { bench in
            try await endingInvite(bench)
            return "invites/1"
        },
        Route("DELETE", "/conversations/{name}", 204, [], type: nil) { _ in
            "conversations/games?force=true"
        },
        Route(
            "POST",
            "/conversations/{name}/invites",
            201,
            ["invite", "role"],
            path: { _ in "conversations/games/invites" },
            body: { _ in [#"{"role":"reader"}"#] }
        ),
        Route(
            "POST",
            "/join",
            201,
            ["name", "id", "role"],
            path: { _ in "join" },
            body: { _ in [#"{"link":"open:lobby","#, #""name":"the lobby"}"#] }
        ),
        Route(
            "POST",
            "/conversations/{name}/messages",
            201,
            ["session", "id", "revision", "state", "nodes"],
            path: { _ in "conversations/games/messages" },
            body: { bench in try [#"{"url":"?move=2","session":"\#(bench.sent.session)"}"#] }
        ),
        Route(
            "POST",
            "/conversations/{name}/batch",
            200,
            ["session", "id", "revision", "state", "nodes", "line"],
            type: "application/x-ndjson",
            path: { _ in "conversations/games/batch" },
            body: { _ in [#"{"url":"?a"}"#] }
        ),
        Route("GET", "/conversations/{name}/transcript", 200, ["entries"]) { _ in
            "conversations/games/transcript"
        },
        Route(
            "GET",
            "/conversations/{name}/transcript/events",
            200,
            message,
            type: "text/event-stream",
            parts: 1,
            path: { _ in "conversations/games/transcript/events" }
        ),
        Route("GET", "/conversations/{name}/conflicts", 200, []) { _ in
            "conversations/games/conflicts"
        },
        Route("GET", "/search", 200, ["hits", "hasMore", "isComplete"]) { _ in
            "search?text=move&conversation=games&limit=5"
        },
        Route("GET", "/sessions/{session}", 200, ["conversation", "session", "shown"]) { bench in
            try bench.session
        },
        Route(
            "GET",
            "/sessions/{session}/history",
            200,
            ["session", "id", "revision"],
            path: { bench in
                var content = MessageContent()
                content.url = "?move=2"
                let draft = Draft(session: try bench.sent.session, content: content)
                _ = try await bench.node.send(draft, to: "games")
                return try bench.session + "/history"
            }
        ),
        Route(
            "GET",
            "/sessions/{session}/messages/{message}/picture",
            200,
            [],
            type: "application/octet-stream",
            path: { bench in try "\(bench.session)/messages/\(bench.sent.id)/picture" }
        ),
        Route("GET", "/apps", 200, ["id", "name"]) { _ in "apps" },
        Route("GET", "/conversations/{name}/apps/{app}", 200, screen) { _ in app },
        Route(
            "POST",
            "/conversations/{name}/apps/{app}",
            200,
            screen.union(["style"]),
            path: { _ in app },
            body: { _ in [#"{"deed":"open"}"#] }
        ),
        Route(
            "GET",
            "/conversations/{name}/apps/{app}/events",
            200,
            screen,
            type: "text/event-stream",
            parts: 1,
            path: { _ in app + "/events" }
        ),
    ]

    private static let panel: Set<String> = ["app", "conversation", "serial", "version"]

    /// The routes that the page uses.
    private static let pages: [Route] = [
        Route("GET", "/conversations/{name}/apps/{app}/panel", 200, panel) { _ in app + "/panel" },
        Route(
            "POST",
            "/conversations/{name}/apps/{app}/panel",
            200,
            panel.union(["style", "tree"]),
            path: { _ in app + "/panel" },
            body: { _ in [#"{"deed":"open"}"#] }
        ),
        Route("GET", "/page", 200, ["event", "conversations", "apps", "panels"]) { _ in "page" },
        Route("POST", "/page/links", 201, ["link"]) { _ in "page/links" },
        Route(
            "POST",
            "/page/code",
            200,
            ["svg"],
            path: { _ in "page/code" },
            body: { _ in [#"{"text":"parley:abc"}"#] }
        ),
        Route("GET", "/events", 200, [], type: "text/event-stream", parts: 1) { _ in "events" },
        Route("GET", "/conversations/{name}/entries", 200, ["event", "entries"]) { _ in
            "conversations/games/entries"
        },
        Route(
            "GET",
            "/conversations/{name}/sessions/{session}",
            200,
            ["shown", "others", "replaced"],
            path: { bench in "conversations/games/" + (try bench.session) }
        ),
        Route(
            "POST",
            "/conversations/{name}/field",
            200,
            ["conversation", "parts"],
            path: { _ in "conversations/games/field" },
            body: { _ in [#"{"deed":"send","text":"hello"}"#] }
        ),
        Route(
            "POST",
            "/conversations/{name}/live/{message}",
            200,
            ["conversation", "message", "serial", "version", "width", "height", "tree"],
            path: { bench in "conversations/games/live/\(try await bench.sentLive().id)" },
            body: { _ in [#"{"deed":"open","width":260,"height":400}"#] }
        ),
        Route(
            "POST",
            "/attachments/check",
            200,
            ["picture", "metadata"],
            path: { _ in "attachments/check" },
            body: { _ in ["bytes"] }
        ),
        Route(
            "POST",
            "/conversations/{name}/attachments",
            201,
            ["session", "id"],
            path: { _ in "conversations/games/attachments" },
            body: { _ in ["bytes"] }
        ),
        Route(
            "POST",
            "/conversations/{name}/stickers",
            201,
            ["session", "id"],
            path: { _ in "conversations/games/stickers" },
            body: { [try await $0.placeRequest()] }
        ),
        Route(
            "DELETE",
            "/conversations/{name}/stickers/{sticker}",
            204,
            [],
            type: nil,
            path: { "conversations/games/stickers/\(try await $0.placed(StickerSheet.star))" }
        ),
        Route(
            "PUT",
            "/conversations/{name}/reactions/{message}",
            200,
            ["session", "id"],
            path: { "conversations/games/reactions/\(try $0.sent.id)" },
            body: { _ in [#"{"emoji":"👍"}"#] }
        ),
        Route(
            "DELETE",
            "/conversations/{name}/reactions/{message}",
            204,
            [],
            type: nil,
            path: { "conversations/games/reactions/\(try $0.sent.id)" }
        ),
        Route(
            "PUT",
            "/conversations/{name}/own/{session}",
            200,
            ["session", "id", "revision"],
            path: { "conversations/games/own/\(try await $0.written("Helo"))" },
            body: { _ in [#"{"text":"Hello"}"#] }
        ),
        Route(
            "DELETE",
            "/conversations/{name}/own/{session}",
            204,
            [],
            type: nil,
            path: { "conversations/games/own/\(try await $0.written("Helo"))" }
        ),
    ]

    @Test(arguments: routes)
    func answersAsDescribed(route: Route) async throws {
        try await ControlBench.with { bench in
            let answer = try await bench.client.call(
                route.method,
                try await route.path(bench),
                try await route.body(bench),
                parts: route.parts
            )
            #expect(answer.status == route.status, "\(answer.text)")
            #expect(answer.type == route.type)
            guard route.type != "application/octet-stream" else {
                #expect(answer.body == Data(repeating: 7, count: 20_000))
                return
            }
            #expect(try Self.keys(of: answer).isSuperset(of: route.keys), "\(answer.text)")
        }
    }

    /// A new route must have a line here and one in the API document.
    @Test func theTableIsThatOfTheDescription() throws {
        let described = try Self.described()
        let tested = Set(Self.routes.map { "\($0.method) \($0.template)" })
        #expect(tested == described)
        #expect(tested.count == Self.routes.count)
    }

    /// The keys of an object, of the first object in a list, or of the object of an event.
    private static func keys(of answer: RouterClient.Answer) throws -> Set<String> {
        guard !answer.body.isEmpty else { return [] }
        let marker = "\ndata: "
        var text = answer.text
        if let range = text.range(of: marker) { text = String(text[range.upperBound...]) }
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let object = json as? [String: Any] ?? (json as? [[String: Any]])?.first
        return Set((object ?? [:]).keys)
    }

    /// Methods and paths of `docs/openapi.yaml`.
    private static func described() throws -> Set<String> {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/openapi.yaml")
        var found: Set<String> = []
        var path = ""
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("  /") {
                path = String(line.dropFirst(2).dropLast())
            } else if line.hasPrefix("    "), line.hasSuffix(":"), !path.isEmpty {
                let method = line.dropFirst(4).dropLast()
                let methods = ["get", "put", "post", "patch", "delete"]
                guard methods.contains(String(method)) else { continue }
                found.insert("\(method.uppercased()) \(path)")
            } else if !line.hasPrefix(" ") {
                path = ""
            }
        }
        return found
    }
}
