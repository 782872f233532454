import ParleyWeb
import Testing

/// The page's server answers only requests from its own page.
@Suite struct PageVerdictTests {
    /// A request to 127.0.0.1:8275 and what the guard says.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let verdict: PageVerdict
        let request: PageRequest

        init(
            _ verdict: PageVerdict,
            _ what: String,
            _ method: String = "GET",
            _ route: String = "/v1/page",
            host: String? = "127.0.0.1:8275",
            origin: String? = nil,
            site: String? = nil,
            destination: String? = nil,
            signIn: PageSignIn = .page
        ) {
            testDescription = what
            self.verdict = verdict
            request = PageRequest(
                method: method,
                route: route,
                authority: host,
                origin: origin,
                fetchSite: site,
                destination: destination,
                signIn: signIn
            )
        }
    }

    private static let own = "http://127.0.0.1:8275"

    static let cases: [Case] = [
        Case(.pass, "a program with the cookie"),
        Case(.pass, "the page itself", origin: own, site: "same-origin"),
        Case(.pass, "by name", host: "localhost:8275"),
        Case(.pass, "by IPv6", host: "[::1]:8275"),
        Case(.foreignHost, "no host", host: nil),
        Case(.foreignHost, "a name that was rebound", host: "evil.example:8275"),
        // Regression: ssh -L with another local port.
        Case(
            .pass,
            "a port that is forwarded",
            host: "localhost:9000",
            origin: "http://localhost:9000"
        ),
        Case(.pass, "the port that browsers leave out", host: "127.0.0.1"),
        Case(
            .foreignOrigin,
            "a page of another forwarded port",
            host: "localhost:9000",
            origin: "http://localhost:9001"
        ),
        Case(.foreignHost, "a name that begins like an address", host: "127.0.0.1.nip.io:8275"),
        Case(
            .foreignHost,
            "a rebound name and the link",
            "GET",
            "/enter/{secret}",
            host: "evil.example:8275"
        ),
        Case(.foreignOrigin, "another origin", origin: "http://evil.example"),
        Case(.foreignOrigin, "no origin to name", origin: "null"),
        Case(.foreignOrigin, "another port of this machine", origin: "http://127.0.0.1:3000"),
        Case(.foreignOrigin, "another name of this machine", origin: "http://localhost:8275"),
        Case(.foreignOrigin, "a picture in a page of another port", site: "same-site"),
        Case(.foreignOrigin, "a picture in a page of another site", site: "cross-site"),
        Case(.foreignOrigin, "a change without an origin", "POST"),
        Case(.foreignOrigin, "a deletion without an origin", "DELETE"),
        Case(.foreignOrigin, "a change by another origin", "POST", origin: "http://evil.example"),
        Case(.pass, "a change by the page", "POST", origin: own),
        Case(.notSignedIn, "a change without the cookie", "POST", origin: own, signIn: .nobody),
        Case(.notSignedIn, "the API without the cookie", signIn: .nobody),
        Case(.notSignedIn, "the page without the cookie", "GET", "/", signIn: .nobody),
        Case(.notSignedIn, "assets without the cookie", "GET", "/assets/{name}", signIn: .nobody),
        Case(.notSignedIn, "the API with the cookie only", signIn: .browser),
        Case(
            .notSignedIn,
            "a picture with the cookie only",
            "GET",
            "/pictures/draft/{name}/{app}",
            signIn: .browser
        ),
        Case(
            .notSignedIn,
            "a file with the cookie only",
            "GET",
            "/files/{name}/{session}/{message}",
            signIn: .browser
        ),
        Case(.notSignedIn, "what is no route, with the cookie only", "GET", "", signIn: .browser),
        Case(.pass, "the page with the cookie only", "GET", "/", signIn: .browser),
        Case(.pass, "assets with the cookie only", "GET", "/assets/{name}", signIn: .browser),
        Case(.pass, "the proof with the cookie only", "GET", "/proof", signIn: .browser),
        Case(.notSignedIn, "the proof without the cookie", "GET", "/proof", signIn: .nobody),
        Case(.pass, "the link without the cookie", "GET", "/enter/{secret}", signIn: .nobody),
        Case(
            .pass,
            "a bookmark of the page",
            "GET",
            "/c/{name}",
            site: "cross-site",
            destination: "document"
        ),
        Case(
            .foreignOrigin,
            "the page in a frame",
            "GET",
            "/",
            site: "cross-site",
            destination: "iframe"
        ),
        Case(
            .notADocument,
            "a picture as a document",
            "GET",
            "/pictures/draft/{name}/{app}",
            site: "same-origin",
            destination: "document"
        ),
        Case(
            .pass,
            "a picture as a picture",
            "GET",
            "/pictures/draft/{name}/{app}",
            site: "same-origin",
            destination: "image"
        ),
        Case(
            .pass,
            "a file for download",
            "GET",
            "/files/{name}/{session}/{message}",
            site: "same-origin",
            destination: "document"
        ),
    ]

    @Test(arguments: cases)
    func judges(_ test: Case) {
        #expect(PageVerdict(test.request, to: .usual) == test.verdict)
    }

    /// A page that listens on all addresses is asked for by any address, and by no name.
    @Test func acceptsAddressesOfAWildcard() throws {
        let all = try PageAddress(parsing: "0.0.0.0:8275")
        #expect(all.isMeant(by: "192.168.1.7:8275"))
        #expect(all.isMeant(by: "[fe80::1]:8275"))
        #expect(all.isMeant(by: "localhost:9000"))
        #expect(!all.isMeant(by: "kitchen.example:8275"))
        #expect(!all.isMeant(by: "192.168.1.7:80"))
        let named = try PageAddress(parsing: "Kitchen.local:8275")
        #expect(named.isMeant(by: "kitchen.local:8275"))
        #expect(!named.isMeant(by: "192.168.1.7:8275"))
    }

    @Test(
        arguments: [
            ("8275", "127.0.0.1:8275"), ("lan", "0.0.0.0:8275"), ("Lan:80", "0.0.0.0:80"),
            ("localhost:0", "localhost:0"), ("[::1]:80", "[::1]:80"),
            ("", nil), (":80", nil), ("a:b", nil), ("::1:80", nil), ("[::1]", nil), ("[x]:80", nil),
            ("127.0.0.1:65536", nil), ("a b:80", nil), ("127.0.0.256:80", nil),
            ("127.0.0.1:+80", nil), ("-1", nil),
        ] as [(String, String?)]
    )
    func parsesAddresses(_ text: String, _ parsed: String?) {
        #expect((try? PageAddress(parsing: text))?.description == parsed)
    }
}
