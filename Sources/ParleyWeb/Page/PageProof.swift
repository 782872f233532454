import CSodium

/// The proofs by which a node and a signed-in page know each other.
///
/// The page keeps a key in the storage of its origin, which no other origin or port can read. First
/// the node proves to know the key too. Then every request of the page carries a proof, valid for
/// one origin and one run of the node. No proof reveals the key.
package struct PageProof: Sendable {
    /// The key of a page at an origin, as 64 hexadecimal digits.
    package let key: String
    private let origin: String

    /// The proofs of a page with the key `key` at `origin`, such as `http://127.0.0.1:8275`.
    package init(key: String, origin: String) {
        self.key = key
        self.origin = origin
    }

    /// The proofs of a node that derives the key of pages at `origin` from `seed`, a secret.
    init(seed: String, origin: String) {
        self.init(key: Self.hmac(seed, origin), origin: origin)
    }

    /// The node's proof to a page that asks with this nonce.
    func ofNode(_ nonce: String, in run: String) -> String { proof("node", nonce, run) }

    /// The page's proof, valid as long as the node runs.
    package func ofPage(in run: String) -> String { proof("page", run) }

    private func proof(_ parts: String...) -> String {
        Self.hmac(key, ([origin] + parts).joined(separator: "\n"))
    }

    /// HMAC-SHA-256 of the bytes of two texts, in hexadecimal.
    private static func hmac(_ key: String, _ text: String) -> String {
        var state = crypto_auth_hmacsha256_state()
        var digest = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
        let (keyBytes, bytes) = (Array(key.utf8), Array(text.utf8))
        crypto_auth_hmacsha256_init(&state, keyBytes, keyBytes.count)
        crypto_auth_hmacsha256_update(&state, bytes, UInt64(bytes.count))
        crypto_auth_hmacsha256_final(&state, &digest)
        return Secret.hexadecimal(digest)
    }
}
