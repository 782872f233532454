import Foundation
import ParleyAPI
import ParleyNode
import ParleyWeb
import TestSupport
import Testing

/// What guests can do at the server for them, and what they cannot.
@Suite(.timeLimit(.minutes(20)))
struct GuestRouteTests {
    /// Runs `body` with a conversation that is open to guests, and its code.
    private func with(
        _ fields: String = "{}",
        _ body: (ControlBench, String) async throws -> Void
    ) async throws {
        try await ControlBench.with { bench in
            let open = try await bench.openToGuests(fields)
            try await body(bench, try #require(open["code"] as? String))
        }
    }

    @Test func theLinkAsksForANameAndGivesASeat() async throws {
        try await with { bench, code in
            let form = try await GuestClient(bench).request("GET", "/g/\(code)")
            #expect(form.status == 200)
            #expect(form.text.contains("<label for=\"name\">Your name</label>"))
            #expect(form.text.contains("<button>Join</button>"))
            let phone = try await bench.phone("Mia", code)
            let page = try await phone.call("GET", "/v1/page")
            #expect(page.status == 200, "\(page.text)")
            let guest = try #require(try page.object()["guest"] as? [String: Any])
            #expect(guest["name"] as? String == "Mia")
            #expect(guest["host"] as? String == "bench")
            #expect((guest["digits"] as? String)?.count == 4)
            let guests = try await bench.node.guests(of: "games")
            #expect(guests.map(\.name) == ["Mia"])
            // The link of a guest who is inside leads to the page.
            let again = try await phone.request("GET", "/g/\(code)")
            #expect(again.text.contains("location.replace"))
            // Regression: the cookie alone was enough to get the key of the page.
            #expect(!again.text.contains("setItem"))
            #expect(try await bench.node.guests(of: "games") == guests)
        }
    }

    @Test func eachPhoneGetsASeatAndEachNameIsThereOnce() async throws {
        try await with { bench, code in
            _ = try await bench.phone("Mia", code)
            _ = try await bench.phone("mia", code)
            _ = try await bench.phone("Mia", code)
            let names = try await bench.node.guests(of: "games").map(\.name)
            #expect(names == ["Mia", "mia 2", "Mia 3"])
        }
    }

    @Test func nobodyComesThroughALockOrIntoAFullRoom() async throws {
        try await with("{\"seats\":1}") { bench, code in
            let mia = try await bench.phone("Mia", code)
            var tom = try GuestClient(bench)
            #expect(try await tom.join(code, "name=Tom").status == 409)
            _ = try await bench.openToGuests("{\"seats\":2,\"locked\":true}")
            let locked = try await tom.join(code, "name=Tom")
            #expect(locked.status == 409)
            #expect(locked.text.contains("unlock"))
            // Those inside stay.
            #expect(try await mia.call("GET", "/v1/page").status == 200)
            _ = try await bench.openToGuests("{\"locked\":false}")
            #expect(try await tom.join(code, "name=Tom").status == 200)
            let closed = try await bench.client.call("DELETE", "conversations/games/guests")
            #expect(closed.status == 200)
            #expect(try await GuestClient(bench).request("GET", "/g/\(code)").status == 404)
            #expect(try await mia.call("GET", "/v1/page").status == 200)
        }
    }

    @Test func aFormOfAnotherPageIsRefused() async throws {
        try await with { bench, code in
            let phone = try GuestClient(bench)
            for origin in ["http://evil.example", "null", nil] {
                let fields = origin.map { ["Origin": $0] } ?? [:]
                let answer = try await phone.request("POST", "/g/\(code)", ["name=Eve"], fields)
                #expect(answer.status == 403)
            }
            let empty = try await phone.request(
                "POST",
                "/g/\(code)",
                ["name=+"],
                ["Origin": phone.origin]
            )
            #expect(empty.status == 400)
            #expect(empty.text.contains("role=\"alert\""))
            #expect(try await bench.node.guests().isEmpty)
        }
    }

    @Test func fourDigitsGiveASeatBackAndTheOldBrowserLosesIt() async throws {
        try await with { bench, code in
            let old = try await bench.phone("Mia", code)
            let guest = try #require(
                try await old.call("GET", "/v1/page").object()["guest"] as? [String: Any]
            )
            let digits = try #require(guest["digits"] as? String)
            var new = try GuestClient(bench)
            let wrong = digits == "0000" ? "1111" : "0000"
            #expect(try await new.join(code, "name=Mia&digits=\(wrong)").status == 403)
            #expect(try await new.join(code, "name=mia&digits=\(digits)").status == 200)
            #expect(try await new.call("GET", "/v1/page").status == 200)
            #expect(try await old.call("GET", "/v1/page").status == 401)
            #expect(try await bench.node.guests(of: "games").count == 1)
        }
    }

    /// Regression: after a restart of the host, a guest's page and memory had other digits.
    @Test func digitsOutliveARestart() async throws {
        try await with { bench, code in
            _ = try await bench.phone("Mia", code)
            let digits = try await bench.digits("conversations/games/guests")
            let file = bench.node.keptFile(named: "guests.json")
            let guest = try #require(try await bench.node.guests().first)
            let door = GuestDoor(device: "ABCDEFG-HIJKLMN", keepingIn: file)
            #expect(door.areDigits(digits, of: guest))
        }
    }

    @Test func fiveWrongTriesChangeTheDigits() async throws {
        try await with { bench, code in
            _ = try await bench.phone("Mia", code)
            let path = "conversations/games/guests"
            let before = try await bench.digits(path)
            var thief = try GuestClient(bench)
            for _ in 0..<GuestDoor.wrongDigitsMax {
                #expect(try await bench.digits(path) == before)
                let wrong = before == "0000" ? "1111" : "0000"
                #expect(try await thief.join(code, "name=Mia&digits=\(wrong)").status == 403)
            }
            // One time in 10,000 they are the same.
            #expect(try await bench.digits(path) != before)
        }
    }

    @Test func aRemovedGuestIsOutAtOnce() async throws {
        try await with { bench, code in
            let mia = try await bench.phone("Mia", code)
            let tom = try await bench.phone("Tom", code)
            #expect(try await mia.call("GET", "/v1/page").status == 200)
            let removed = try await bench.client.call("DELETE", "conversations/games/guests/1")
            #expect(removed.status == 200)
            #expect(try await mia.call("GET", "/v1/page").status == 401)
            #expect(try await tom.call("GET", "/v1/page").status == 200)
            // Regression: the code that the guest had used gave the guest another seat.
            let next = try #require(try removed.object()["code"] as? String)
            #expect(next != code)
            #expect(try await mia.request("GET", "/g/\(code)").status == 404)
            #expect(try await bench.phone("Ida", next).call("GET", "/v1/page").status == 200)
        }
    }

    /// Regression: five wrong tries changed the digits, and that for as long as somebody guessed.
    @Test func whoGuessesDigitsWaitsLongerEachTime() async throws {
        try await with { bench, code in
            _ = try await bench.phone("Mia", code)
            let door = bench.guests.door
            let guest = try #require(try await bench.node.guests().first)
            let path = "conversations/games/guests"
            var now = ContinuousClock.now
            for pause in [30, 60, 120] {
                for _ in 0..<GuestDoor.wrongDigitsMax {
                    #expect(!door.areDigits("none", of: guest, at: now))
                }
                let digits = try await bench.digits(path)
                now += .seconds(pause - 1)
                #expect(!door.areDigits(digits, of: guest, at: now))
                now += .seconds(1)
            }
            #expect(door.areDigits(try await bench.digits(path), of: guest, at: now))
        }
    }

    /// Regression: guests stayed in a conversation that the node had left.
    @Test func nobodyIsAGuestWhereTheNodeIsNotAnyMore() async throws {
        try await with { bench, code in
            let mia = try await bench.phone("Mia", code)
            #expect(try await mia.call("GET", "/v1/page").status == 200)
            let left = try await bench.client.call("DELETE", "conversations/games?force=true")
            #expect(left.status == 204, "\(left.text)")
            #expect(try await mia.call("GET", "/v1/page").status == 401)
            #expect(try await GuestClient(bench).request("GET", "/g/\(code)").status == 404)
        }
    }

    // MARK: An attacker with a guest's cookie

    /// The routes of a guest's page; a new one has to be added here, too.
    private static let routes: Set<String> = [
        "GET /", "GET /c/{name}", "GET /proof", "GET /assets/{name}", "GET /favicon.ico",
        "GET /v1/page", "GET /v1/events", "POST /v1/guest", "GET /v1/search",
        "GET /v1/conversations/{name}/entries",
        "GET /v1/conversations/{name}/sessions/{session}",
        "POST /v1/conversations/{name}/field", "POST /v1/attachments/check",
        "POST /v1/conversations/{name}/attachments",
        "GET /v1/conversations/{name}/apps/{app}/panel",
        "POST /v1/conversations/{name}/apps/{app}/panel",
        "POST /v1/files/check", "POST /v1/conversations/{name}/files",
        "PUT /v1/conversations/{name}/files/{session}",
        "POST /v1/conversations/{name}/stickers",
        "DELETE /v1/conversations/{name}/stickers/{sticker}",
        "PUT /v1/conversations/{name}/own/{session}",
        "PUT /v1/conversations/{name}/reactions/{message}",
        "DELETE /v1/conversations/{name}/reactions/{message}",
        "DELETE /v1/conversations/{name}/own/{session}",
        "POST /v1/conversations/{name}/live/{message}",
        "GET /pictures/message/{name}/{session}/{message}",
        "GET /pictures/view/{name}/{app}", "GET /pictures/live/{name}/{message}",
        "GET /pictures/draft/{name}/{app}", "GET /pictures/sticker/{name}/{app}/{sticker}",
        "GET /files/{name}/{session}/{message}",
    ]

    /// Every route of the owner's page and of commands, with a valid request.
    @Test(arguments: RouteTests.routes)
    func anOwnersRouteIsNotThereForAGuest(route: RouteTests.Route) async throws {
        let template = "\(route.method) /v1\(route.template)"
        try await with { bench, code in
            let phone = try await bench.phone("Mia", code)
            let before = try await bench.state()
            let path = "/v1/" + (try await route.path(bench))
            let after = try await bench.state()
            guard !Self.routes.contains(template) else { return }
            let answer = try await phone.call(route.method, path, try await route.body(bench))
            #expect(answer.status == 404 || answer.status == 405, "\(template): \(answer.text)")
            #expect(answer.problem == "unknownRoute", "\(template): \(answer.text)")
            #expect(try await bench.state() == after, "\(before)")
        }
    }

    /// Every route of a guest's page, for a conversation in which the guest has no seat.
    @Test func noRouteLeadsToAnotherConversation() async throws {
        try await with { bench, code in
            _ = try await bench.node.createConversation(named: "secret")
            let sent = try await bench.node.send(ControlBench.said("?hidden"), to: "secret")
            let phone = try await bench.phone("Mia", code)
            for route in Self.routes.sorted() where route.contains("{name}") {
                let parts = route.split(separator: " ")
                let path = String(parts[1]).replacing("{name}", with: "secret")
                    .replacing("{session}", with: "\(sent.session)")
                    .replacing("{message}", with: "\(sent.id)")
                    .replacing("{app}", with: "parley.tictactoe")
                    .replacing("{sticker}", with: "\(sent.session)")
                guard !path.hasPrefix("/assets"), !path.hasPrefix("/c/") else { continue }
                let bodies = [
                    "{\"deed\":\"send\",\"text\":\"x\"}", "{\"deed\":\"open\"}",
                    "{\"width\":100,\"height\":100}",
                ]
                for body in parts[0] == "GET" ? [[]] : bodies.map({ [$0] }) {
                    let answer = try await phone.call(String(parts[0]), path, body)
                    #expect(answer.status >= 400 || answer.body.isEmpty, "\(route)")
                    #expect(!answer.text.contains("hidden"), "\(route): \(answer.text)")
                }
            }
            #expect(try await bench.node.transcript(of: "secret").count == 1)
            let page = try await phone.call("GET", "/v1/page")
            #expect(!page.text.contains("secret"))
        }
    }

    /// A search finds what is in the guest's conversation, however it asks for others.
    @Test func noSearchFindsAnotherConversation() async throws {
        try await with { bench, code in
            _ = try await bench.node.createConversation(named: "secret")
            _ = try await bench.node.send(ControlBench.said("?hidden"), to: "secret")
            _ = try await bench.node.send(ControlBench.said("?hidden here"), to: "games")
            #expect(try await bench.node.search("hidden").hits.count == 2)
            let phone = try await bench.phone("Mia", code)
            let games = "&conversation=games"
            let own = ["", "&limit=1", games, games + "&conversation=secret"]
            for query in own {
                let answer = try await phone.call("GET", "/v1/search?text=hidden\(query)")
                let found = try JSON.decode(SearchResult.self, from: answer.body)
                #expect(found.hits.map(\.conversation) == ["games"], "\(query)")
                #expect(!found.hasMore)
            }
            for name in ["secret", "SECRET", "se%63ret", "secret%20", "*", "%00", ""] {
                let path = "/v1/search?text=hidden&conversation=\(name)"
                let answer = try await phone.call("GET", path)
                #expect(answer.problem == "unknownConversation", "\(name): \(answer.text)")
            }
            let removed = try await bench.client.call("DELETE", "conversations/games/guests/1")
            #expect(removed.status == 200)
            #expect(try await phone.call("GET", "/v1/search?text=hidden").status == 401)
        }
    }

    /// Regression: after a restart of the host, the others waited for a guest whose phone slept.
    @Test func aGuestTakesPartAfterARestartBeforeThePhoneIsBack() async throws {
        try await ControlBench.with { bench in
            _ = try await bench.node.createConversation(named: "evening")
            let hash = [UInt8](repeating: 7, count: 32)
            let mia = try await bench.node.seat("Mia", in: "evening", secretHash: hash)
            var offer = ControlBench.said("?offer")
            offer.content.app = "parley.absent"
            offer.content.match = Match(.offered, least: 2, most: 2)
            offer.content.match?.seats = [mia.participant.id]
            let id = mia.participant.id
            let session = try await bench.node.send(offer, to: "evening", as: id).session
            var wish = Draft(content: MessageContent())
            wish.content.addition = Addition(to: session, .seat)
            _ = try await bench.node.send(wish, to: "evening")
            let server = Task { await bench.guestServer.run() }
            try await eventually("the confirmed seat", within: .seconds(20)) {
                let shown = try await bench.node.session(session, in: "evening").shown
                return shown.content?.match?.seats.count == 2
            }
            server.cancel()
            await server.value
        }
    }

    @Test func nobodyTakesAnothersSeat() async throws {
        try await with { bench, code in
            let mia = try await bench.phone("Mia", code)
            let tom = try await bench.phone("Tom", code)
            // The cookie of one guest, and the proof of the page of another.
            let path = try tom.proved("/v1/page")
            #expect(try await mia.request("GET", path).status == 401)
            #expect(try await mia.request("GET", "/v1/page").status == 401)
            #expect(try await GuestClient(bench).request("GET", path).status == 401)
            // The cookie opens nothing at the owner's page, and the owner's nothing here.
            let cookie = try #require(mia.cookie)
            let owners = try await bench.page.bare("GET", "/v1/page", fields: ["Cookie": cookie])
            #expect(owners.status == 401)
            let guests = try await GuestClient(bench).request(
                "GET",
                "/",
                [],
                ["Cookie": bench.page.cookie]
            )
            #expect(guests.status == 401)
            for place in ["/", "/c/games", "/assets/page.js", "/proof", "/v1/status"] {
                let answer = try await GuestClient(bench).request("GET", place)
                #expect(answer.status == 401, "\(place)")
            }
        }
    }
}

extension ControlBench {
    /// Everything that a guest must not change.
    fileprivate func state() async throws -> [String] {
        let conversations = try await node.conversations().map(\.name)
        let sent = try await node.transcript(of: conversations.first ?? "").count
        return conversations + ["\(sent)"]
    }

    /// The digits of the first guest.
    fileprivate func digits(_ path: String) async throws -> String {
        let guests = try await client.call("GET", path).object()["guests"] as? [[String: Any]]
        return try #require(guests?.first?["digits"] as? String)
    }
}
