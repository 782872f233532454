import Hummingbird
import NIOCore
import ParleyAPI

/// Admits only requests of the page, and adds fields that restrict browsers to every response.
struct PageGate: RouterMiddleware {
    let door: any PageKeeper

    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let fields = request.headers
        let asked = PageRequest(
            method: request.method.rawValue,
            route: context.endpointPath ?? "",
            authority: request.head.authority,
            origin: fields[.origin],
            fetchSite: fields[.secFetchSite],
            destination: fields[.secFetchDestination],
            signIn: door.signIn(of: request.head)
        )
        let verdict = door.address.map { PageVerdict(asked, to: $0) } ?? .foreignHost
        var response: Response
        switch verdict {
        case .pass: response = try await next(request, context)
        default: response = Self.bounded(try Problem(verdict).response(to: request), request.body)
        }
        for field in Self.fields where response.headers[field.name] == nil {
            response.headers[field.name] = field.value
        }
        return response
    }

    /// Writes a refusal and then reads the rest of the request, so that the connection can be used
    /// again.
    ///
    /// A connection whose request has more than a limit is closed.
    static func bounded(_ response: Response, _ rest: RequestBody) -> Response {
        var bounded = response
        bounded.body = ResponseBody(contentLength: response.body.contentLength) { writer in
            try await response.body.write(writer)
            var left = refusedBytesMax
            for try await part in rest {
                left -= part.readableBytes
                // The error ends the connection; the response is written.
                if left < 0 { throw Problem(.tooLarge, "The refused request is too long.") }
            }
        }
        return bounded
    }

    /// The most bytes that are read of a refused request's body.
    private static let refusedBytesMax = 64 << 10

    /// The fields of every response that does not set them itself.
    private static let fields: [(name: HTTPField.Name, value: String)] = [
        (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
        (.xContentTypeOptions, "nosniff"),
        (.referrerPolicy, "no-referrer"),
        (.crossOriginResourcePolicy, "same-origin"),
        (.crossOriginOpenerPolicy, "same-origin"),
        (.cacheControl, "no-store"),
        (.parleyVersion, PageAsset.version),
    ]
}

extension Problem {
    /// Why the guard of the page refuses a request.
    fileprivate init(_ verdict: PageVerdict) {
        switch verdict {
        case .notSignedIn:
            self.init(
                .notSignedIn,
                "This browser is not signed in at this node.",
                hint: "A link lets a browser in, and each link works once. For a new one, run "
                    + "parley page on the machine of the node, and open what it prints."
            )
        case .foreignHost:
            self.init(
                .notAllowed,
                "The request is for another host than this page.",
                hint: "Open the page by the address that parley node prints."
            )
        default:
            self.init(.notAllowed, "The request does not come from this page.")
        }
    }
}
