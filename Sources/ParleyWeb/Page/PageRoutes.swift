import Foundation
import Hummingbird
import NIOCore
import ParleyAPI

/// The routes of a page beside `/v1`: the node's proof, the HTML and its assets.
struct PageRoutes: Sendable {
    let door: any PageKeeper
    let shell: PageShell

    /// The route of the node's proof.
    static let proof = "/proof"

    func add(to router: Router<BasicRequestContext>) {
        router.get(RouterPath(Self.proof)) { request, _ in
            try JSON.response(try proof(request))
        }
        for path: RouterPath in ["/", "c/{name}"] {
            router.get(path) { request, _ in html(try await shell.html(), for: request) }
        }
        router.get("assets/{name}") { request, context in
            try asset(request, context.parameters.get("name") ?? "")
        }
        router.get("favicon.ico") { request, _ in try asset(request, "icon.png") }
    }

    private func html(_ text: ByteBuffer, for request: Request) -> Response {
        let isZipping = Gzip.isAccepted(by: request.headers[.acceptEncoding])
        let zipped = isZipping ? Gzip.compressed(text) : nil
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Self.policy,
            .vary: Self.vary,
        ]
        if zipped != nil { headers[.contentEncoding] = Gzip.name }
        return Response(
            status: .ok,
            headers: headers,
            body: .init(byteBuffer: zipped ?? text)
        )
    }

    /// What an answer in compressed form depends on.
    fileprivate static let vary = "Accept-Encoding"

    private func proof(_ request: Request) throws -> PageProofDocument {
        let nonce = request.uri.queryParameters["nonce"].map(String.init) ?? ""
        let origin = PageAddress.origin(of: request.head.authority ?? "")
        guard let proof = door.answer(to: nonce, at: origin) else {
            throw Problem.badInput("The nonce is not 32 hexadecimal digits.")
        }
        return proof
    }

    /// The content security policy, which `docs/openapi.yaml` describes.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
        "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    private func asset(_ request: Request, _ name: String) throws -> Response {
        guard let asset = PageAsset.all[name], !name.hasSuffix(".html") else {
            throw HTTPError(.notFound)
        }
        return asset.response(to: request)
    }
}

extension PageAsset {
    /// The response in the form that the request accepts.
    func response(to request: Request) -> Response {
        let form = form(accepting: request.headers[.acceptEncoding])
        var headers: HTTPFields = [
            .contentType: type, .eTag: form.tag, .cacheControl: "no-cache",
            .vary: PageRoutes.vary,
        ]
        if let coding = form.coding { headers[.contentEncoding] = coding }
        guard request.headers[.ifNoneMatch] != form.tag else {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: form.bytes))
    }
}
