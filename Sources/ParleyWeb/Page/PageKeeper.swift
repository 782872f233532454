package import Hummingbird
import HummingbirdCore

/// Decides who may see a page: the page of the node for its owner, or that of a guest.
///
/// A browser shows a cookie. The page itself proves to have the key of its origin, and the node
/// proves the same to the page.
package protocol PageKeeper: Sendable {
    var cookieName: String { get }
    /// Where the page is served; nil until it is.
    var address: PageAddress? { get }
    /// The name of this run of the node, a part of all proofs of pages.
    var runName: String { get }

    /// Whether one of the `Cookie` fields of a request has the cookie of the page.
    func isOpen(to fields: [String]) -> Bool
    /// The proofs of pages at an origin.
    func proof(at origin: String) -> PageProof
}

extension PageKeeper {
    /// The key of pages at an origin.
    package func key(at origin: String) -> String { proof(at: origin).key }

    /// The node's proof for a page at `origin`; nil unless the nonce is 32 hexadecimal digits.
    package func answer(to nonce: String, at origin: String) -> PageProofDocument? {
        guard let nonce = Secret(nonce) else { return nil }
        return PageProofDocument(
            node: cookieName,
            run: runName,
            proof: proof(at: origin).ofNode(nonce.text, in: runName)
        )
    }

    /// How far the sender of a request is signed in.
    package func signIn(of head: HTTPRequest) -> PageSignIn {
        guard isOpen(to: head.headerFields[values: .cookie]) else { return .nobody }
        guard let authority = head.authority,
            let shown = URI(head.path ?? "").queryParameters["proof"]
        else { return .browser }
        let expected = proof(at: PageAddress.origin(of: authority)).ofPage(in: runName)
        return Secret.areEqual(expected, shown) ? .page : .browser
    }

    /// The values of the cookie in the `Cookie` fields of a request.
    func cookies(in fields: [String]) -> [Substring] {
        fields.flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] == cookieName ? parts[1] : nil
        }
    }

    /// The `Set-Cookie` field that gives a browser the cookie.
    func cookie(_ value: String, seconds: Int) -> String {
        "\(cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
    }
}
