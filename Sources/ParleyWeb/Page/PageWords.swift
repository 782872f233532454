import Hummingbird
import NIOCore
import ParleyAPI

/// Short pages of text, which need neither scripts nor styles of the page.
enum PageWords {
    /// The link was used before, or has expired.
    static let usedLink = document(
        "This link cannot be used any more",
        "<p>Each link works once, within an hour. If this browser opened it before, "
            + "<a href=\"/\">go to the page</a>. Otherwise run <code>parley page</code> on the "
            + "machine of the node and open what it prints.</p>"
    )

    /// Stores the key of the page in its origin's storage and leads to the page, or to a
    /// conversation.
    ///
    /// A redirection would not do, because browsers send a strict cookie only with a request of a
    /// page of the same site. The script runs by `nonce`.
    static func welcome(to conversation: String?, key: (name: String, text: String)?) -> Response {
        // Encoded as one part of a path, no name can lead elsewhere.
        let path = conversation.map { "/c/" + HTMLText.pathPart($0) } ?? "/"
        let nonce = Secret.random().text
        let keeping = key.map { "localStorage.setItem(\"\($0.name)\", \"\($0.text)\");" } ?? ""
        var answer = response(
            document(
                "Welcome",
                "<p><a href=\"\(path)\">Go on to the page</a></p>"
                    + "<script nonce=\"\(nonce)\">\(keeping)location.replace(\"\(path)\")</script>"
            )
        )
        answer.headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'nonce-\(nonce)'; frame-ancestors 'none'"
        return answer
    }

    /// A problem, for people who look at it in a browser.
    static func problem(_ problem: Problem) -> String {
        document(HTMLText.escaped(problem.message), "<p>\(HTMLText.escaped(problem.hint))</p>")
    }

    static func response(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text))
        )
    }

    private static func document(_ title: String, _ body: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Parley: \(title)</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark"></head>
        <body><main><h1>\(title)</h1>\(body)</main></body></html>

        """
    }
}
