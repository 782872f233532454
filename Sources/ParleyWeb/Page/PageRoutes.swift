import Foundation
import Hummingbird
import MessagesHost
import NIOCore
import ParleyAPI
import ParleyNode

/// The routes of the page beside `/v1`: the way in, the HTML and its assets.
struct PageRoutes: Sendable {
    let door: PageDoor
    let shell: PageShell

    func add(to router: Router<BasicRequestContext>) {
        router.get("enter/{secret}") { request, context in
            enter(request, context.parameters.get("secret") ?? "")
        }
        router.get("/") { _, _ in try await html(nil) }
        router.get("c/{name}") { _, context in
            try await html(context.parameters.get("name")?.removingPercentEncoding)
        }
        router.get("assets/{name}") { request, context in
            try asset(request, context.parameters.get("name") ?? "")
        }
        router.get("favicon.ico") { request, _ in try asset(request, "icon.png") }
    }

    private func enter(_ request: Request, _ secret: String) -> Response {
        // What a browser or a program looks at before somebody opens the link must not use it up.
        let purposes: [HTTPField.Name] = [.secPurpose, .purpose, .xPurpose, .xMoz]
        let isAhead = purposes.contains { name in
            ["prefetch", "preview"].contains { request.headers[name]?.contains($0) ?? false }
        }
        guard !isAhead, request.method == .get else {
            return Response(status: .serviceUnavailable)
        }
        let welcome = PageWords.welcome(
            to: request.uri.queryParameters["conversation"].map(String.init)
        )
        if door.spend(secret) {
            var response = PageWords.response(welcome)
            response.headers[.setCookie] = door.cookie
            return response
        }
        guard door.isOpen(to: request.headers[values: .cookie]) else {
            return PageWords.response(PageWords.usedLink, status: .gone)
        }
        return PageWords.response(welcome)
    }

    private func html(_ conversation: String?) async throws -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy: Self.policy,
            ],
            body: .init(byteBuffer: try await shell.html(conversation: conversation))
        )
    }

    /// The policy says from where the page may load what; `docs/openapi.yaml` describes it.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    private func asset(_ request: Request, _ name: String) throws -> Response {
        guard let asset = PageAsset.all[name], name != "shell.html" else {
            throw HTTPError(.notFound)
        }
        let headers: HTTPFields = [
            .contentType: asset.type, .eTag: asset.tag, .cacheControl: "no-cache",
        ]
        guard request.headers[.ifNoneMatch] != asset.tag else {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: asset.bytes))
    }
}
