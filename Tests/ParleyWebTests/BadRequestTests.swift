import Foundation
import ParleyAPI
import ParleyNode
import Testing

/// Requests that are not valid: each is refused and changes nothing.
@Suite(.timeLimit(.minutes(20)))
struct BadRequestTests {
    private static let app = "conversations/games/apps/tictactoe"

    /// The routes that take a document.
    static let documents = [
        "conversations", "join", "conversations/games/invites", "conversations/games/messages",
        app, app + "/panel", "conversations/games/field", "conversations/games/stickers",
        "conversations/games/live/x", "pairings", "person/lost",
    ]

    /// The limits of bodies that are less than that of a message with a picture, in bytes.
    static let limits = [
        app: 256 << 10, app + "/panel": 256 << 10, "conversations/games/field": 256 << 10,
        "conversations/games/live/x": 256 << 10, "conversations/games/stickers": 16 << 10,
        "pairings": 4 << 10, "person/lost": 4 << 10,
    ]

    /// Bodies that are not a document of any of these routes.
    static let bodies = [
        "", "{", "null", "[]", "7", #""text""#, #"{"name":7,"link":7,"role":7,"url":7,"deed":7}"#,
        "\u{0}\u{1}\u{2}", #"{"name":"games"} trailing"#,
    ]

    @Test(arguments: documents)
    func malformedDocumentsAreRefused(path: String) async throws {
        try await ControlBench.with { bench in
            let before = try await bench.node.status()
            for body in Self.bodies {
                let answer = try await bench.client.call("POST", path, [body])
                #expect(answer.status == 400, "\(path) \(body): \(answer.text)")
                #expect(answer.problem == "badJSON", "\(path) \(body)")
            }
            #expect(try await bench.node.status() == before)
        }
    }

    @Test func aSearchHasLimits() async throws {
        try await ControlBench.with { bench in
            let long = String(repeating: "a", count: 257)
            for query in ["text=\(long)", "text=a&limit=0", "text=a&limit=x"] {
                let answer = try await bench.client.call("GET", "search?\(query)")
                #expect(answer.status == 400, "\(query.prefix(20)): \(answer.text)")
            }
            let unknown = try await bench.client.call("GET", "search?text=a&conversation=no")
            #expect(unknown.problem == "unknownConversation", "\(unknown.text)")
        }
    }

    /// Regression: the sentence was that of Swift's decoder, for developers of Swift.
    @Test(arguments: [
        ("{", "it is not JSON"), ("{}", "name is missing"),
        (#"{"name":7}"#, "name is of another type"),
        ("[]", "the document is of another type"),
    ])
    func whatIsWrongWithADocumentIsSaid(body: String, why: String) async throws {
        try await ControlBench.with { bench in
            let answer = try await bench.client.call("POST", "conversations", [body])
            #expect(answer.text.contains("is not the expected JSON: \(why)."), "\(answer.text)")
        }
    }

    /// A newer program may send fields that this node does not know.
    @Test func unknownFieldsAreIgnored() async throws {
        try await ControlBench.with { bench in
            let answer = try await bench.client.call(
                "POST",
                "conversations/games/messages",
                [#"{"url":"?more","mood":"good","nested":{"a":[1,2]}}"#]
            )
            #expect(answer.status == 201, "\(answer.text)")
        }
    }

    /// The route determines the type of a body; the content type is ignored.
    @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "nonsense"])
    func theContentTypeIsNotLookedAt(type: String?) async throws {
        try await ControlBench.with { bench in
            let answer = try await bench.client.call(
                "POST",
                "conversations",
                [#"{"name":"more"}"#],
                type: type
            )
            #expect(answer.status == 201, "\(answer.text)")
        }
    }

    /// A body that arrives byte by byte is treated like one that arrives at once.
    @Test func bodiesMayArriveInPieces() async throws {
        try await ControlBench.with { bench in
            let body = #"{"name":"in pieces"}"#.map(String.init)
            let answer = try await bench.client.call("POST", "conversations", body)
            #expect(answer.status == 201, "\(answer.text)")
        }
    }

    @Test(arguments: documents)
    func bodiesThatAreTooLargeAreRefused(path: String) async throws {
        try await ControlBench.with { bench in
            let limit = Self.limits[path] ?? 6 << 20
            let part = String(repeating: " ", count: min(limit, 64 << 10))
            let parts = Array(repeating: part, count: limit / part.utf8.count)
            let large = try await bench.client.call("POST", path, parts + [" "])
            #expect(large.status == 413, "\(large.text)")
            #expect(large.problem == "tooLarge")
            // A body of the greatest allowed size is read, and is not a document.
            let allowed = try await bench.client.call("POST", path, parts)
            #expect(allowed.problem == "badJSON", "\(allowed.text)")
        }
    }

    /// The methods of each path that no route has, for all paths of the control API.
    ///
    /// Hence a new route is asked by the other methods as well.
    static let methods: [String: Set<String>] = {
        let parts = [
            "{name}": "games", "{app}": "tictactoe", "{session}": UUID().uuidString,
            "{message}": "x", "{sticker}": "x", "{pairing}": "x", "{seat}": "1", "{number}": "1",
        ]
        var methods: [String: Set<String>] = [:]
        for route in RouteTests.routes {
            var path = route.template
            for (part, value) in parts { path = path.replacing(part, with: value) }
            let all: Set = ["GET", "PUT", "POST", "PATCH", "DELETE"]
            methods[String(path.dropFirst()), default: all].remove(route.method)
        }
        // This is a pairing with that ID.
        methods["pairings/events"]?.remove("DELETE")
        return methods
    }()

    @Test func otherMethodsFindNothing() async throws {
        #expect(Self.methods.count > 30)
        #expect(Self.methods.keys.allSatisfy { !$0.contains("{") }, "each part has a value")
        try await ControlBench.with { bench in
            let before = try await bench.node.status()
            for (path, methods) in Self.methods {
                for method in methods {
                    let answer = try await bench.client.call(method, path, ["{}"])
                    #expect(answer.status == 404, "\(method) \(path): \(answer.text)")
                    #expect(answer.problem == "unknownRoute", "\(method) \(path)")
                }
            }
            #expect(try await bench.node.status() == before)
        }
    }

    static let identifiers: [RefusedRequest] = [
        "not-a-uuid", "1234", "%20", String(repeating: "a", count: 36),
    ].flatMap { text in
        [
            RefusedRequest(.badInput, 400, "session \(text)") { _ in .get("sessions/\(text)") },
            RefusedRequest(.badInput, 400, "history of \(text)") { _ in
                .get("sessions/\(text)/history")
            },
            RefusedRequest(.badInput, 400, "picture of message \(text)") { bench in
                try .get("\(bench.session)/messages/\(text)/picture")
            },
            message("session", #""\#(text)""#),
            message("next", #"["\#(text)"]"#),
            message("replacing", #"["\#(text)"]"#),
        ]
    }

    @Test(arguments: identifiers)
    func malformedIdentifiersAreRefused(request: RefusedRequest) async throws {
        try await request.check()
    }

    static let values: [RefusedRequest] = [
        message("wait", #""soon""#), message("wait", #""delivered""#),
        message("wait", #""delivered=0""#), message("wait", #""delivered=-1""#),
        message("wait", #""delivered=two""#), message("wait", #""delivered=1=2""#),
        message("wait", #""delivered=1","timeout":0"#),
        message("wait", #""delivered=1","timeout":-1"#),
        message("wait", #""delivered=1","timeout":86401"#),
        act(#""kind":"press""#), act(#""node":"root","kind":"press""#),
        act(#""node":"root","version":1"#), act(#""node":"root","version":1,"kind":"hug""#),
        RefusedRequest(.badInput, 400, "a tap on a malformed message") { _ in
            .post(app, #"{"deed":"tap","message":"nonsense"}"#)
        },
        RefusedRequest(.badInput, 400, "a bubble of a malformed message") { _ in
            .post("conversations/games/live/x", #"{"deed":"open","width":1,"height":1}"#)
        },
        bubble(#""deed":"open""#), bubble(#""deed":"open","width":0,"height":400"#),
        bubble(#""deed":"open","width":260,"height":2001"#),
        bubble(#""deed":"close","width":260,"height":400"#),
        RefusedRequest(.badInput, 400, "a sticker that is no UUID") { _ in
            RefusedRequest.Asked("DELETE", "conversations/games/stickers/x")
        },
        RefusedRequest(.badInput, 400, "a reaction to a malformed message") { _ in
            RefusedRequest.Asked("DELETE", "conversations/games/reactions/x")
        },
        RefusedRequest(.badInput, 400, "a session of a conversation that is no UUID") { _ in
            .get("conversations/games/sessions/x")
        },
        RefusedRequest(.badInput, 400, "pairing for a role that is none") { _ in
            .post("pairings", #"{"device":"guest","role":"king"}"#)
        },
    ]

    @Test(arguments: values)
    func impossibleValuesAreRefused(request: RefusedRequest) async throws {
        try await request.check()
    }

    /// Every route with a conversation in its path is asked for an unknown conversation.
    static let elsewhere: [RefusedRequest.Asked] = [
        .init("DELETE", "conversations/nowhere"),
        .post("conversations/nowhere/invites", #"{"role":"reader"}"#),
        .post("conversations/nowhere/messages", #"{"url":"?"}"#),
        .post("conversations/nowhere/batch", #"{"url":"?"}"#),
        .get("conversations/nowhere/transcript"),
        .get("conversations/nowhere/transcript/events"),
        .get("conversations/nowhere/apps/tictactoe"),
        .post("conversations/nowhere/apps/tictactoe", #"{"deed":"open"}"#),
        .get("conversations/nowhere/apps/tictactoe/events"),
        .get("conversations/nowhere/apps/tictactoe/panel"),
        .post("conversations/nowhere/apps/tictactoe/panel", #"{"deed":"open"}"#),
        .get("conversations/nowhere/conflicts"),
        .get("conversations/nowhere/entries"),
        .post("conversations/nowhere/field", #"{"deed":"send","text":"hello"}"#),
        .post(
            "conversations/nowhere/live/\(String(repeating: "a", count: 32))-7",
            #"{"deed":"open","width":260,"height":400}"#
        ),
        .post("conversations/nowhere/attachments", "bytes"),
        .init("DELETE", "conversations/nowhere/stickers/\(UUID())"),
        .init(
            "PUT",
            "conversations/nowhere/reactions/\(String(repeating: "a", count: 32))-7",
            #"{"emoji":"👍"}"#
        ),
        .init(
            "DELETE",
            "conversations/nowhere/reactions/\(String(repeating: "a", count: 32))-7"
        ),
        .init("PUT", "conversations/nowhere/own/\(UUID())", #"{"text":"Hello"}"#),
        .init("DELETE", "conversations/nowhere/own/\(UUID())"),
        .get("conversations/%2E%2E/transcript"),
        .get("conversations/games%00/transcript"),
    ]

    /// Pages that nobody can mean: limits out of range, and cursors that are none.
    private static let pages: [String] = [
        "transcript?limit=0", "transcript?limit=201", "transcript?limit=x", "transcript?limit=",
        "transcript?before=", "transcript?before=3", "transcript?after=1.2.3",
        "transcript?before=start", "transcript?after=end",
        "transcript?after=start&before=1.2.\(String(repeating: "a", count: 32))-7",
        "transcript?before=-1.2.\(String(repeating: "a", count: 32))-7",
        "transcript?before=1.99999999999.\(String(repeating: "a", count: 32))-7",
        "transcript/events?limit=-1", "transcript/events?limit=201",
        "entries?limit=0", "entries?limit=201", "entries?before=nothing",
        "conflicts?limit=0", "conflicts?after=x",
    ]

    @Test func pagesThatNobodyCanMeanAreRefused() async throws {
        try await ControlBench.with { bench in
            for page in Self.pages {
                let answer = try await bench.client.call("GET", "conversations/games/\(page)", [])
                #expect(answer.status == 400, "\(page): \(answer.text)")
                #expect(answer.problem == "badInput", "\(page)")
            }
            // A cursor of another node, or of an entry that is gone, is a place like any other.
            let far = "9.7.\(String(repeating: "a", count: 32))-7"
            let answer = try await bench.client.call(
                "GET",
                "conversations/games/transcript?before=\(far)",
                []
            )
            #expect(answer.status == 200)
        }
    }

    @Test func conversationsThatAreNotHereAreNotFound() async throws {
        try await ControlBench.with { bench in
            for asked in Self.elsewhere {
                let answer = try await bench.client.call(asked.method, asked.path, asked.body)
                #expect(answer.status == 404, "\(asked): \(answer.text)")
                #expect(answer.problem == "unknownConversation", "\(asked)")
            }
        }
    }

    /// Each line of a batch has its own answer with its number.
    @Test func aBadLineOfABatchIsRefusedAlone() async throws {
        try await ControlBench.with { bench in
            let lines = [
                #"{"url":"?1"}"#, "nonsense", "", #"{"session":"none"}"#, #"{"url":"?2"}"#,
            ]
            let answer = try await bench.client.call(
                "POST",
                "conversations/games/batch",
                [lines.joined(separator: "\n")]
            )
            #expect(answer.status == 200)
            var answers: [Int: String] = [:]
            for line in answer.text.split(separator: "\n") {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                let fields = try #require(object as? [String: Any])
                let number = try #require(fields["line"] as? Int)
                answers[number] = fields["error"] as? String ?? fields["state"] as? String
            }
            #expect(answers == [1: "stored", 2: "badJSON", 4: "badInput", 5: "stored"])
        }
    }

    // MARK: Requests

    private static func message(_ field: String, _ value: String) -> RefusedRequest {
        RefusedRequest(.badInput, 400, "a message with the \(field) \(value)") { _ in
            .post("conversations/games/messages", #"{"\#(field)":\#(value)}"#)
        }
    }

    private static func bubble(_ fields: String) -> RefusedRequest {
        RefusedRequest(.badInput, 400, "a bubble with \(fields)") { bench in
            .post("conversations/games/live/\(try bench.sent.id)", "{\(fields)}")
        }
    }

    private static func act(_ fields: String) -> RefusedRequest {
        RefusedRequest(.badInput, 400, "an action with \(fields)") { _ in
            .post(app, #"{"deed":"act",\#(fields)}"#)
        }
    }
}
