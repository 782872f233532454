extension Capability {
    /// The capability that follows from the secret of a role: S of a writer, K of a reader, R of a
    /// relay.
    package init(
        _ secret: Bytes32,
        as role: Role,
        publicWriteKey: Bytes32,
        using crypto: some Cryptography
    ) {
        let readKey = Self.readKey(secret, as: role, using: crypto)
        self.init(
            publicWriteKey: publicWriteKey,
            relayKey: readKey.map { Self.relayKey(readKey: $0, using: crypto) } ?? secret,
            readKey: readKey,
            writerSeed: role == .writer ? secret : nil
        )
    }

    /// The secret of a role that this capability includes.
    package func secret(of role: Role) -> Bytes32? {
        switch role {
        case .writer: writerSeed
        case .reader: readKey
        case .relay: relayKey
        }
    }

    /// The private key of W: HKDF(S, "parley write").
    package static func writeSeed(_ seed: Bytes32, using crypto: some Cryptography) -> Bytes32 {
        crypto.deriveKey(from: seed, info: Array("parley write".utf8).span.bytes)
    }

    /// K: HKDF(S, "parley read"), or the secret of a reader; nil for a relay.
    static func readKey(
        _ secret: Bytes32,
        as role: Role,
        using crypto: some Cryptography
    ) -> Bytes32? {
        switch role {
        case .writer: crypto.deriveKey(from: secret, info: Array("parley read".utf8).span.bytes)
        case .reader: secret
        case .relay: nil
        }
    }

    /// R: HKDF(K, "parley relay").
    static func relayKey(readKey: Bytes32, using crypto: some Cryptography) -> Bytes32 {
        crypto.deriveKey(from: readKey, info: Array("parley relay".utf8).span.bytes)
    }
}
