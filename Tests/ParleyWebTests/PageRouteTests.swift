import Foundation
import ParleyAPI
import ParleyNode
import ParleyWeb
import Testing

/// A valid request to every route of the page's server beside `/v1`, which `RouteTests` has.
@Suite(.timeLimit(.minutes(20)))
struct PageRouteTests {
    /// A valid request and the expected response.
    struct Route: Sendable, CustomTestStringConvertible {
        /// The path as the router has it.
        let template: String
        let type: String
        let path: @Sendable (ControlBench) async throws -> String

        var testDescription: String { template }

        init(
            _ template: String,
            _ type: String,
            path: @escaping @Sendable (ControlBench) async throws -> String
        ) {
            self.template = template
            self.type = type
            self.path = path
        }
    }

    private static let html = "text/html; charset=utf-8"
    private static let svg = "image/svg+xml"

    static let routes = [
        Route("/", html) { _ in "/" },
        Route("/c/{name}", html) { _ in "/c/games" },
        Route("/enter/{secret}", html) { try $0.page.link() },
        Route("/proof", "application/json") { _ in
            "/proof?nonce=0123456789abcdef0123456789abcdef"
        },
        Route("/assets/{name}", "text/css; charset=utf-8") { _ in "/assets/page.css" },
        Route("/favicon.ico", "image/png") { _ in "/favicon.ico" },
        Route("/pictures/message/{name}/{session}/{message}", svg) { bench in
            let sent = try await bench.sentPicture()
            return "/pictures/message/games/\(sent.session)/\(sent.id)"
        },
        Route("/pictures/view/{name}/{app}", svg) { bench in
            let views = try #require(try await bench.sketch().tree).children
            return try #require(views.first { $0.kind == "image" }?.src)
        },
        Route("/pictures/live/{name}/{message}", svg) { bench in
            try await bench.drawnPicture()
        },
        Route("/pictures/draft/{name}/{app}", svg) { bench in
            try await bench.stageSketch()
            return "/pictures/draft/games/parley.sketch"
        },
        Route("/pictures/sticker/{name}/{app}/{sticker}", "image/png") { bench in
            try await bench.stagedSticker().src
        },
        Route("/files/{name}/{session}/{message}", "application/octet-stream") { bench in
            "/files/games/\(try bench.sent.session)/\(try bench.sent.id)"
        },
    ]

    @Test(arguments: routes)
    func answers(route: Route) async throws {
        try await ControlBench.with { bench in
            let path = try await route.path(bench)
            let start = route.template.prefix { $0 != "{" }
            try #require(path.hasPrefix(start), "the request is one of that route")
            let answer = try await bench.page.call("GET", path)
            #expect(answer.status == 200, "\(path): \(answer.text)")
            #expect(answer.type == route.type)
            #expect(!answer.body.isEmpty)
        }
    }

    /// A request for the head of a response has the fields of the response and nothing else.
    ///
    /// Regression: there was no route for it.
    @Test(arguments: routes)
    func answersHead(route: Route) async throws {
        try await ControlBench.with { bench in
            let path = try await route.path(bench)
            let answer = try await bench.page.call("HEAD", path)
            guard !path.hasPrefix("/enter/") else {
                #expect(answer.status == 503)
                let opened = try await bench.page.bare("GET", path)
                #expect(opened.status == 200, "the link is still good")
                return
            }
            #expect(answer.status == 200, "\(path)")
            #expect(answer.type == route.type)
            #expect(answer.body.isEmpty)
        }
    }

    /// A new route must have a line here.
    @Test func theTableIsThatOfTheRouter() async throws {
        try await ControlBench.with { bench in
            let served = bench.pageRoutes.filter { !$0.contains(" /v1/") }
            #expect(Set(served) == Set(Self.routes.map { "GET \($0.template)" }))
            #expect(served.count == Self.routes.count)
        }
    }

    /// The page's server has `/v1` as well, but for what only the control socket has.
    @Test func theControlAPIIsServedToPages() async throws {
        try await ControlBench.with { bench in
            let prefix = "/v1"
            let served = bench.pageRoutes.filter { $0.contains(" \(prefix)/") }
            let described = RouteTests.routes
                .filter { !["/devices", "/repairs"].contains($0.template) }
                .map { "\($0.method) \(prefix)\($0.template)" }
            #expect(Set(served) == Set(described))
        }
    }
}
