import Hummingbird

/// The page of the fault proxies, on which a person pulls cables.
struct NetworkPage: Sendable {
    let address: PageAddress

    /// The response to a request for the page or one of its files; nil to all others.
    func response(to request: Request) -> Response? {
        guard request.method == .get, let name = Self.files[request.head.path ?? ""],
            isOwn(request)
        else { return nil }
        var response = PageAsset.all[name]?.response(to: request)
        response?.headers[.contentSecurityPolicy] = PageRoutes.policy
        return response
    }

    /// Whether a browser's request comes from the page, and not from one of somebody else.
    func isOwn(_ request: Request) -> Bool {
        guard let authority = request.head.authority, address.isMeant(by: authority) else {
            return false
        }
        return request.method == .get
            || request.headers[.origin]?.lowercased() == PageAddress.origin(of: authority)
    }

    /// The names of assets by their paths.
    private static let files = [
        "/": "network.html", "/assets/icon.png": "icon.png", "/assets/page.css": "page.css",
        "/assets/network.css": "network.css", "/assets/network.mjs": "network.mjs",
    ]
}
