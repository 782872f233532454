/// Seals and opens the parts of one game.
///
/// The key follows from two agreements with the recipient: that of a new pair, so that no two parts
/// have the same key, and that of the author, so that nobody else can seal the part.
package struct PartBox<Crypto: Cryptography>: Sendable {
    private let conversation: Bytes32
    private let game: SessionUUID
    private let crypto: Crypto

    package init(conversation: Bytes32, game: SessionUUID, using crypto: Crypto) {
        self.conversation = conversation
        self.game = game
        self.crypto = crypto
    }

    /// Seals bytes for the owner of `recipient`.
    ///
    /// - Parameters:
    ///   - bytes: What is sealed.
    ///   - recipient: The key in the recipient's seat.
    ///   - secret: That of who seals.
    ///   - single: The secret of the pair for this part alone.
    ///   - nonce: A random one.
    /// - Returns: the public key of that pair, and the sealed bytes; nil for a recipient's key of
    ///   small order.
    package func sealed(
        _ bytes: RawSpan,
        for recipient: Bytes32,
        by secret: Bytes32,
        with single: Bytes32,
        nonce: SealNonce
    ) -> (key: Bytes32, sealed: Slice)? {
        let own = crypto.agreementKey(of: single)
        guard let first = crypto.agree(single, with: recipient),
            let second = crypto.agree(secret, with: recipient)
        else { return nil }
        let author = crypto.agreementKey(of: secret)
        let key = key(first, second, recipient, author, own)
        let sealed = crypto.seal(bytes, key: key, nonce: nonce, authenticating: RawSpan())
        return (own, Slice(sealed))
    }

    /// The bytes of a part; nil if the part is not of that author, for that recipient, or of this
    /// game.
    package func opened(
        _ part: MatchPart,
        by author: Bytes32,
        with secret: Bytes32
    ) -> [UInt8]? {
        guard let first = crypto.agree(secret, with: part.key),
            let second = crypto.agree(secret, with: author)
        else { return nil }
        let key = key(first, second, crypto.agreementKey(of: secret), author, part.key)
        return part.sealed.withBytes { crypto.open($0, key: key, authenticating: RawSpan()) }
    }

    private func key(
        _ first: Bytes32,
        _ second: Bytes32,
        _ recipient: Bytes32,
        _ author: Bytes32,
        _ single: Bytes32
    ) -> Bytes32 {
        let shared = crypto.sha256(first.bytes + second.bytes)
        var info = [UInt8]("parley part 1".utf8)
        conversation.append(to: &info)
        game.value.append(to: &info)
        for key in [recipient, author, single] { key.append(to: &info) }
        return crypto.deriveKey(from: shared, info: info.span.bytes)
    }
}
