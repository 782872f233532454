import Foundation
import MessagesHost
import ParleyAPI
import ParleyNode
import ParleyWeb
import Testing

/// The page's server: the way in, the page, and what peers sent.
@Suite struct PageServerTests {
    @Test func aLinkLetsABrowserInOnce() async throws {
        try await ControlBench.with { bench in
            let link = try bench.page.link()
            let rebound = try await bench.page.bare("GET", link, host: "evil.example:8275")
            #expect(rebound.status == 403)
            for name in ["Sec-Purpose", "Purpose", "X-Moz"] {
                let prefetch = try await bench.page.bare("GET", link, fields: [name: "prefetch"])
                #expect(prefetch.status == 503, "\(name)")
            }
            let first = try await bench.page.bare("GET", link)
            #expect(first.status == 200, "none of them spent the link")
            let cookie = try #require(try first.field("Set-Cookie"))
            #expect(cookie == bench.door.cookie)

            let second = try await bench.page.bare("GET", link)
            #expect(second.status == 410)
            #expect(try second.field("Set-Cookie") == nil)
            #expect(second.text.contains("parley page"))
            let signedIn = try await bench.page.call("GET", link)
            #expect(signedIn.status == 200, "a browser that is in just goes on")
            #expect(try await bench.page.call("GET", "/").status == 200)
        }
    }

    @Test(arguments: [
        "/", "/c/games", "/assets/page.js", "/v1/page", "/v1/events", "/v1/conversations",
        "/pictures/draft/games/a", "//v1//page", "/nothing", "/favicon.ico", "/proof?nonce=1",
        "/enter/../v1/page", "/v1/events/",
    ])
    func nothingWithoutTheCookie(_ path: String) async throws {
        try await ControlBench.with { bench in
            let answer = try await bench.page.bare("GET", path)
            #expect(answer.status == 401)
            #expect(!answer.text.contains("games"))
            #expect(try answer.field("X-Content-Type-Options") == "nosniff")
            #expect(try answer.field("Referrer-Policy") == "no-referrer")
            #expect(try answer.field("X-Parley-Version") == PageAsset.version)
            let policy = try answer.field("Content-Security-Policy")
            #expect(policy == "default-src 'none'; frame-ancestors 'none'")
        }
    }

    @Test func changesNeedTheOrigin() async throws {
        try await ControlBench.with { bench in
            let body = [#"{"name":"new"}"#]
            let bare = try await bench.page.bare(
                "POST",
                "/v1/conversations",
                body,
                fields: ["Cookie": bench.page.cookie]
            )
            #expect(bare.status == 403)
            #expect(bare.problem == "notAllowed")
            let foreign = try await bench.page.call(
                "POST",
                "/v1/conversations",
                body,
                fields: ["Origin": "http://127.0.0.1:3000"]
            )
            #expect(foreign.status == 403)
            #expect(try await bench.node.conversations().count == 1)
            let own = try await bench.page.call("POST", "/v1/conversations", body)
            #expect(own.status == 201, "\(own.text)")
        }
    }

    @Test(arguments: [
        "/assets/../page.js", "/assets/%2e%2e/page.js", "/assets/shell.html", "/assets/",
        "/assets/page.js/x", "/assets/..%2fshell.html", "/assets/%00", "/enter",
        "/pictures/message/games/../x", "/pictures/message/games/x/y", "/files/games/1/2",
    ])
    func pathsThatLeadNowhere(_ path: String) async throws {
        try await ControlBench.with { bench in
            let status = try await bench.page.call("GET", path).status
            #expect(status == 404, "\(path): \(status)")
        }
    }

    @Test func assetsAreAskedForAgainAndNotSentAgain() async throws {
        try await ControlBench.with { bench in
            let first = try await bench.page.call("GET", "/assets/page.css")
            #expect(first.status == 200)
            #expect(first.type == "text/css; charset=utf-8")
            let tag = try #require(try first.field("ETag"))
            let again = try await bench.page.call(
                "GET",
                "/assets/page.css",
                fields: ["If-None-Match": tag]
            )
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
        }
    }

    /// Each form has a tag of its own, so that no cache gives one for the other.
    @Test func assetsAreCompressedForThoseWhoAcceptIt() async throws {
        try await ControlBench.with { bench in
            func load(_ path: String, _ fields: [String: String] = [:]) async throws
                -> (size: Int, coding: String?, tag: String?)
            {
                let answer = try await bench.page.call("GET", path, fields: fields)
                #expect(try answer.field("Vary") == "Accept-Encoding", "\(path)")
                let coding = try answer.field("Content-Encoding")
                return (answer.body.count, coding, try answer.field("ETag"))
            }
            for path in ["/", "/assets/page.js", "/assets/page.css"] {
                let plain = try await load(path)
                #expect(plain.coding == nil, "\(path)")
                for refusal in ["identity", "gzip;q=0", "br, gzip; q=0.0"] {
                    let refused = try await load(path, ["Accept-Encoding": refusal])
                    #expect(refused == plain, "\(path), \(refusal)")
                }
                let zipped = try await load(path, ["Accept-Encoding": "deflate, GZIP;q=0.5, br"])
                #expect(zipped.coding == "gzip", "\(path)")
                #expect(zipped.size < plain.size, "\(path)")
                guard let tag = zipped.tag else { continue }
                #expect(tag != plain.tag, "\(path)")
                let fields = ["Accept-Encoding": "gzip", "If-None-Match": tag]
                #expect(try await load(path, fields).size == 0, "\(path)")
                let other = try await load(path, ["If-None-Match": tag])
                #expect(other == plain, "\(path): the other form is sent in full")
            }
        }
    }

    /// A browser asks for the page with its cookie only, so nothing secret is in it.
    @Test func thePageHasNothingOfConversations() async throws {
        try await ControlBench.with { bench in
            _ = try await bench.apps.send(text: "hello", to: "games")
            for path in ["/", "/c/games"] {
                let fields = ["Cookie": bench.page.cookie]
                let answer = try await bench.page.bare("GET", path, fields: fields)
                #expect(answer.status == 200)
                #expect(answer.type == "text/html; charset=utf-8")
                #expect(answer.text.contains("<title>bench – Parley</title>"))
                #expect(!answer.text.contains("games"))
                #expect(!answer.text.contains("hello"))
                #expect(!answer.text.contains("<!--parley:"))
                let policy = try #require(try answer.field("Content-Security-Policy"))
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe"))
            }
        }
    }

    /// The thief of a cookie, which browsers send to every port of a host, has nothing.
    @Test(arguments: [
        "/v1/page", "/v1/conversations", "/v1/events", "/v1/conversations/games/transcript",
        "/pictures/draft/games/parley.sketch", "/nothing",
    ])
    func theCookieAloneOpensNothing(_ path: String) async throws {
        try await ControlBench.with { bench in
            let fields = ["Cookie": bench.page.cookie]
            #expect(try await bench.page.bare("GET", path, fields: fields).status == 401)
            let guessed = path + "?proof=" + String(repeating: "0", count: 64)
            #expect(try await bench.page.bare("GET", guessed, fields: fields).status == 401)
            let other = "http://127.0.0.1:8276"
            let elsewhere = try bench.page.proved(path, at: other, keyOf: other)
            #expect(try await bench.page.bare("GET", elsewhere, fields: fields).status == 401)
            let mixed = try bench.page.proved(path, keyOf: other)
            #expect(try await bench.page.bare("GET", mixed, fields: fields).status == 401)
            let good = try bench.page.proved(path)
            #expect(try await bench.page.bare("GET", good).status == 401, "without the cookie")
            let whole = try await bench.page.bare("GET", good, fields: fields, parts: 1)
            #expect(whole.status != 401)
        }
    }

    /// The proof of a page ends with the run of its node, so that what somebody hears who listens
    /// at the port afterwards is worth nothing.
    @Test func aProofIsGoodForOneRun() async throws {
        try await ControlBench.with { bench in
            let restarted = try PageDoor(
                device: try await bench.node.status().device,
                keepingIn: bench.node.keptFile(named: "page.key")
            )
            restarted.opened(at: PageClient.address)
            #expect(restarted.cookie == bench.door.cookie)
            #expect(restarted.key(at: PageClient.origin) == bench.door.key(at: PageClient.origin))
            let fields = ["Cookie": bench.page.cookie]
            let again = ControlRoutes(node: bench.node, apps: bench.apps, door: restarted)
            let page = PageClient(RouterClient(again.pageRouter(restarted)), restarted)
            let old = try bench.page.proved("/v1/status")
            #expect(try await page.bare("GET", old, fields: fields).status == 401)
            #expect(try await page.call("GET", "/v1/status").status == 200)
        }
    }

    /// A page checks the node's proof before it makes its own, so both sides have to agree.
    @Test func theNodeProvesThatItHasTheKey() async throws {
        try await ControlBench.with { bench in
            let nonce = "0123456789abcdef0123456789abcdef"
            let answer = try await bench.page.call("GET", "/proof?nonce=\(nonce)")
            let proof = try answer.object()
            let run = try #require(proof["run"] as? String)
            #expect(proof["node"] as? String == bench.door.cookieName)
            // The value was computed by openssl dgst -sha256 -mac HMAC.
            let known = PageProof(
                key: String(repeating: "k", count: 64),
                origin: "http://127.0.0.1:8275"
            )
            #expect(known.ofPage(in: "run") == Self.knownProof)
            let given = proof["proof"] as? String
            #expect(given?.count == 64)
            #expect(try bench.page.proved("") != "?proof=\(given ?? "")", "it is no page's proof")
            let other = try await bench.page.call("GET", "/proof?nonce=1\(nonce.dropFirst())")
            #expect(try other.object()["run"] as? String == run)
            #expect(try other.object()["proof"] as? String != given, "it is no replay")
            #expect(try await bench.page.call("GET", "/proof?nonce=short").status == 400)
        }
    }

    private static let knownProof =
        "ebc6f5283422ea1814d0573dd074e819face4f282258bf12d1229394d2c0d2ab"

    /// People in a browser get a page, and programs JSON, whatever the path and the refusal.
    @Test(arguments: ["/", "/v1/page", "/nothing", "/v1/sessions/x"])
    func refusalsArePagesInABrowser(_ path: String) async throws {
        try await ControlBench.with { bench in
            let html = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"]
            let page = try await bench.page.bare("GET", path, fields: html)
            #expect(page.status == 401)
            #expect(page.type == "text/html; charset=utf-8")
            #expect(page.text.contains("parley page"))
            let program = try await bench.page.bare("GET", path, fields: ["Accept": "*/*"])
            #expect(program.problem == "notSignedIn")
            let rebound = try await bench.page.bare(
                "GET",
                path,
                fields: html,
                host: "evil.example:8275"
            )
            #expect(rebound.status == 403)
            #expect(rebound.text.contains("<h1>"))
            guard path != "/", path != "/v1/page" else { return }
            let lost = try await bench.page.call("GET", path, fields: html)
            #expect(lost.type == "text/html; charset=utf-8")
            #expect(lost.status == (path == "/nothing" ? 404 : 400), "\(lost.text)")
        }
    }

    /// A port that SSH forwards to the page has another number, and an origin of its own.
    @Test func aForwardedPortIsAnOriginOfItsOwn() async throws {
        try await ControlBench.with { bench in
            let origin = "http://localhost:9000"
            let entered = try await bench.page.bare(
                "GET",
                try bench.page.link(),
                host: "localhost:9000"
            )
            #expect(entered.status == 200)
            let key = bench.door.key(at: origin)
            #expect(entered.text.contains("\"\(key)\""))
            #expect(key != bench.door.key(at: PageClient.origin))
            let fields = ["Cookie": bench.page.cookie, "Origin": origin]
            let path = try bench.page.proved("/v1/conversations", at: origin, keyOf: origin)
            let made = try await bench.page.bare(
                "POST",
                path,
                [#"{"name":"new"}"#],
                fields: fields,
                host: "localhost:9000"
            )
            #expect(made.status == 201, "\(made.text)")
        }
    }

    /// Pictures have the type of their bytes, whatever the sender says, and never run.
    @Test func picturesHaveTheTypeOfTheirBytes() async throws {
        try await ControlBench.with { bench in
            var draft = Draft(content: MessageContent())
            draft.content.layout = ContentLayout()
            draft.picture = Picture(type: "text/html", bytes: Data(Sketch.svg.utf8))
            let sent = try await bench.node.send(draft, to: "games")
            let path = "/pictures/message/games/\(sent.session)/\(sent.id)"
            let answer = try await bench.page.call("GET", path)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.type == "image/svg+xml")
            #expect(try answer.field("X-Content-Type-Options") == "nosniff")
            let policy = try #require(try answer.field("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none';"))
            #expect(policy.hasSuffix("sandbox"))
            let navigated = try await bench.page.call(
                "GET",
                path,
                fields: ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document"]
            )
            #expect(navigated.status == 403)

            // The picture of the bench's message is none.
            let none = try bench.sent
            let missing = try await bench.page.call(
                "GET",
                "/pictures/message/games/\(none.session)/\(none.id)"
            )
            #expect(missing.status == 204)
        }
    }

    /// A page asks for a picture a moment after a later move has replaced it: that is no failure.
    @Test func aReplacedPictureIsNoFailure() async throws {
        try await ControlBench.with { bench in
            var draft = Draft(content: MessageContent())
            draft.content.layout = ContentLayout()
            draft.picture = Picture(type: "image/svg+xml", bytes: Data(Sketch.svg.utf8))
            let first = try await bench.node.send(draft, to: "games")
            draft.session = first.session
            _ = try await bench.node.send(draft, to: "games")
            let place = "games/\(first.session)/\(first.id)"
            let picture = try await bench.page.call("GET", "/pictures/message/\(place)")
            #expect(picture.status == 204, "\(picture.text)")
            #expect(picture.body.isEmpty)
            #expect(try picture.field("Cache-Control") == "no-store")
            #expect(try await bench.page.call("GET", "/files/\(place)").status == 404)
        }
    }

    /// A link can name a conversation, which cannot lead out of the page whatever its name is.
    @Test func aLinkOpensAConversation() async throws {
        try await ControlBench.with { bench in
            let name = "a/../b?\"><script>&#\u{301}"
            _ = try await bench.node.createConversation(named: name)
            let encoded = "a%2F..%2Fb%3F%22%3E%3Cscript%3E%26%23%CC%81"
            let made = try await bench.client.call(
                "POST",
                "page/links?conversation=\(encoded)",
                ["{}"]
            )
            #expect(made.status == 201, "\(made.text)")
            let link = try #require(try made.object()["link"] as? String)
            #expect(link.hasSuffix("?conversation=\(encoded)"))
            let path = try #require(link.firstRange(of: "/enter/")).lowerBound
            let answer = try await bench.page.bare("GET", String(link[path...]))
            let going = #"location.replace("/c/\#(encoded)")</script>"#
            #expect(answer.text.contains(going), "\(answer.text)")
            let nonce = try #require(answer.text.firstMatch(of: /<script nonce="([0-9a-f]{32})">/))
            let policy = try #require(try answer.field("Content-Security-Policy"))
            #expect(policy.contains("script-src 'nonce-\(nonce.1)';"))
            #expect(answer.text.split(separator: "<script").count == 2)
            let unknown = try await bench.client.call(
                "POST",
                "page/links?conversation=nothing",
                ["{}"]
            )
            #expect(unknown.problem == "unknownConversation")
        }
    }

    @Test func filesAreForDownloadOnly() async throws {
        try await ControlBench.with { bench in
            // A peer may call a file as it likes.
            var draft = Draft(content: MessageContent())
            draft.content.app = "parley.attachment"
            draft.content.layout = ContentLayout()
            draft.content.layout?.caption = "a\"\r\nü\u{202e}.html"
            let bytes = Data("<script>alert(1)</script>".utf8)
            draft.picture = Picture(type: "text/html", bytes: bytes)
            let sent = try await bench.node.send(draft, to: "games")
            let (session, id) = (sent.session, sent.id)
            let answer = try await bench.page.call("GET", "/files/games/\(session)/\(id)")
            #expect(answer.text == "<script>alert(1)</script>")
            #expect(answer.type == "application/octet-stream")
            let disposition = try answer.field("Content-Disposition")
            // A character that ends a line or turns the direction of writing is replaced by U+FFFD.
            let name = "a%22%EF%BF%BD%EF%BF%BD%C3%BC%EF%BF%BD.html"
            #expect(disposition == "attachment; filename*=UTF-8''\(name)")
        }
    }

    /// An invite does not stand in the address of its picture.
    @Test func codesArePictures() async throws {
        try await ControlBench.with { bench in
            let path = "/v1/page/code"
            let answer = try await bench.page.call("POST", path, [#"{"text":"parley:abc"}"#])
            let svg = try answer.object()["svg"] as? String
            #expect(svg?.contains("<path d=\"M4 4h7v1h-7z") == true)
            let long = String(repeating: "a", count: 1_501)
            for text in ["", long] {
                let refused = try await bench.page.call("POST", path, [#"{"text":"\#(text)"}"#])
                #expect(refused.problem == "badInput")
            }
        }
    }

    /// Every file of the page is in the executable.
    @Test func allAssetsAreEmbedded() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.appending(path: "Sources/CPageAssets")
        let list = try String(contentsOf: folder.appending(path: "assets.c"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "assets").path
        )
        #expect(files.count >= 3)
        for file in files.sorted() {
            #expect(list.contains("#embed \"assets/\(file)\""), "\(file) is not embedded")
        }
    }

    /// Somebody who was signed out reads nothing more on a stream that was open before.
    @Test(.timeLimit(.minutes(20))) func signingOutEndsStreams() async throws {
        try await ControlBench.with { bench in
            do {
                let answer = try await bench.page.call(
                    "GET",
                    "/v1/events",
                    onPart: { part in
                        #expect(part == 1)
                        _ = try await bench.client.call("POST", "page/links?signOut=true")
                    }
                )
                #expect(answer.status == 200)
                #expect(answer.events.map(\.kind) == ["reset"])
            } catch let problem as Problem where problem.kind == .notSignedIn {
                // An event that came before the end of the stream is not written.
            }
        }
    }

    /// Regression: the streams of single transcripts stayed open, and later those of paths that
    /// end in a slash.
    @Test(arguments: ["", "/"]) func signingOutEndsStreamsOfTranscripts(_ end: String) async throws
    {
        try await ControlBench.with { bench in
            for caption in ["one", "two"] {
                let body = [#"{"caption":"\#(caption)"}"#]
                _ = try await bench.client.call("POST", "conversations/games/messages", body)
            }
            await #expect(throws: (any Error).self, "the second entry is not written") {
                _ = try await bench.page.call(
                    "GET",
                    "/v1/conversations/games/transcript/events\(end)",
                    onPart: { part in
                        _ = try await bench.client.call("POST", "page/links?signOut=true")
                        #expect(part == 1)
                    }
                )
            }
        }
    }

    /// Regression: the body of a request without the cookie was read to its end, however long.
    @Test func theBodiesOfRefusedRequestsAreBounded() async throws {
        try await ControlBench.with { bench in
            let part = String(repeating: "a", count: 16 << 10)
            let short = try await bench.page.bare("POST", "/v1/conversations", [part, part])
            #expect(short.status == 403)
            await #expect(throws: (any Error).self, "the connection ends") {
                let parts = Array(repeating: part, count: 8)
                _ = try await bench.page.bare("POST", "/v1/conversations", parts)
            }
        }
    }

    @Test func newLinksComeFromTheSocket() async throws {
        try await ControlBench.with { bench in
            let made = try await bench.client.call("POST", "page/links")
            #expect(made.status == 201)
            let link = try #require(try made.object()["link"] as? String)
            #expect(link.hasPrefix("http://127.0.0.1:8275/enter/"))
            let old = bench.page.cookie
            let again = try await bench.client.call("POST", "page/links?signOut=true")
            #expect(again.status == 201)
            let out = try await bench.page.bare("GET", "/", fields: ["Cookie": old])
            #expect(out.status == 401)
            let path = String(link.dropFirst(PageClient.origin.count))
            #expect(try await bench.page.bare("GET", path).status == 410)
        }
    }
}
