/// The parts of a request that decide whether the page's server answers it.
package struct PageRequest: Sendable {
    package var method: String
    package var path: String
    /// The value of `Host`.
    package var authority: String?
    package var origin: String?
    /// The value of `Sec-Fetch-Site`, which browsers send.
    package var fetchSite: String?
    /// The value of `Sec-Fetch-Dest`, which browsers send.
    package var destination: String?
    /// Whether it has the cookie of this node.
    package var hasCookie: Bool

    package init(
        method: String,
        path: String,
        authority: String?,
        origin: String? = nil,
        fetchSite: String? = nil,
        destination: String? = nil,
        hasCookie: Bool
    ) {
        self.method = method
        self.path = path
        self.authority = authority
        self.origin = origin
        self.fetchSite = fetchSite
        self.destination = destination
        self.hasCookie = hasCookie
    }
}

/// The answer of the guard to a request.
package enum PageVerdict: Hashable, Sendable {
    case pass
    /// The request names another host, as after DNS rebinding, or none.
    case foreignHost
    /// The request comes from a page of another origin, or changes something and does not say
    /// where it comes from.
    case foreignOrigin
    /// The browser has no cookie of this node.
    case noCookie
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
            guard origin.lowercased() == "http://" + authority.lowercased() else {
                return .foreignOrigin
            }
        } else if request.method != "GET", request.method != "HEAD" {
            return .foreignOrigin
        }
        let parts = Self.parts(of: request.path)
        if parts.count == 2, parts.first == "enter" { return .pass }
        // Pages of other ports are of the same site, so that their requests have the cookie.
        if let site = request.fetchSite, site != "same-origin", site != "none" {
            guard isNavigation(request, parts) else { return .foreignOrigin }
        }
        guard request.hasCookie else { return .noCookie }
        if parts.first == "pictures", let destination = request.destination {
            guard ["image", "empty"].contains(destination) else { return .notADocument }
        }
        return .pass
    }

    /// The parts of a path as the router sees them, for which several slashes are like one.
    static func parts(of path: String) -> [Substring] { path.split(separator: "/") }

    /// Whether a link or an address line leads to the page itself.
    private static func isNavigation(_ request: PageRequest, _ parts: [Substring]) -> Bool {
        request.method == "GET" && request.destination == "document"
            && (parts.isEmpty || parts.first == "c")
    }
}
