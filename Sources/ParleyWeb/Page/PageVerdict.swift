/// How far the sender of a request is signed in.
package enum PageSignIn: Comparable, Sendable {
    case nobody
    /// The browser has the cookie of this node.
    case browser
    /// The browser has the cookie, and the page has proved to have the key of its origin.
    case page
}

/// The parts of a request that decide whether the page's server answers it.
package struct PageRequest: Sendable {
    package var method: String
    /// The route that the router has found, such as `/c/{name}`; empty if there is none.
    package var route: String
    /// The value of `Host`.
    package var authority: String?
    package var origin: String?
    /// The value of `Sec-Fetch-Site`, which browsers send.
    package var fetchSite: String?
    /// The value of `Sec-Fetch-Dest`, which browsers send.
    package var destination: String?
    package var signIn: PageSignIn

    package init(
        method: String,
        route: String,
        authority: String?,
        origin: String? = nil,
        fetchSite: String? = nil,
        destination: String? = nil,
        signIn: PageSignIn
    ) {
        self.method = method
        self.route = route
        self.authority = authority
        self.origin = origin
        self.fetchSite = fetchSite
        self.destination = destination
        self.signIn = signIn
    }
}

/// The answer of the guard to a request.
package enum PageVerdict: Hashable, Sendable {
    case pass
    /// The request names another host, as after DNS rebinding, or none.
    case foreignHost
    /// The request comes from a page of another origin, or changes something without naming its
    /// origin.
    case foreignOrigin
    /// The browser has no cookie of this node, or the page has not proved to have the key.
    case notSignedIn
    /// A browser wants to show a picture or a file of a peer as a document.
    case notADocument

    /// Judges a request to a server at `address`.
    package init(_ request: PageRequest, to address: PageAddress) {
        self = Self.judge(request, address)
    }

    private static func judge(_ request: PageRequest, _ address: PageAddress) -> PageVerdict {
        guard let authority = request.authority, address.isMeant(by: authority) else {
            return .foreignHost
        }
        if let origin = request.origin {
            guard origin.lowercased() == PageAddress.origin(of: authority) else {
                return .foreignOrigin
            }
        } else if !isReading(request) {
            return .foreignOrigin
        }
        let place = request.route.split(separator: "/").first
        if place == "enter" { return .pass }
        // Pages at other ports of this host are of the same site, so their requests carry the
        // cookie too.
        if let site = request.fetchSite, site != "same-origin", site != "none" {
            guard isNavigation(request) else { return .foreignOrigin }
        }
        guard request.signIn >= needed(for: request.route) else { return .notSignedIn }
        if place == "pictures", let destination = request.destination {
            guard ["image", "empty"].contains(destination) else { return .notADocument }
        }
        return .pass
    }

    /// The parts that a browser requests by itself, without the script of the page, are not secret.
    private static func needed(for route: String) -> PageSignIn {
        switch route {
        case "/", "/c/{name}", "/assets/{name}", "/favicon.ico", PageRoutes.proof: .browser
        default: .page
        }
    }

    private static func isReading(_ request: PageRequest) -> Bool {
        request.method == "GET" || request.method == "HEAD"
    }

    /// Whether a link or an address bar leads to the page itself.
    private static func isNavigation(_ request: PageRequest) -> Bool {
        isReading(request) && request.destination == "document"
            && (request.route == "/" || request.route == "/c/{name}")
    }
}
