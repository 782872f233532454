import ParleyCore

/// HMAC and HKDF of the protocol.
enum KeyDerivation {
    /// HMAC-SHA-256 (RFC 2104) of the bytes of `first` and then of `second`.
    ///
    /// OpenSSL's own HMAC spends most of its time on short inputs looking up the algorithm and
    /// allocating state, so this HMAC uses SHA-256 directly.
    static func hmac(
        key: Bytes32,
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) -> Bytes32 {
        var inner = SHA256()
        withBlock(of: key, filling: 0x3636_3636_3636_3636) { inner.update($0) }
        inner.update(first)
        inner.update(second)
        var outer = SHA256()
        withBlock(of: key, filling: 0x5c5c_5c5c_5c5c_5c5c) { outer.update($0) }
        inner.finish().withRawBytes { outer.update($0) }
        return outer.finish()
    }

    /// HKDF-SHA-256 (RFC 5869) with an empty salt and 32 bytes of output: one block, number 1.
    static func hkdf(_ key: Bytes32, info: UnsafeRawBufferPointer) -> Bytes32 {
        let extracted = key.withRawBytes { hmac(key: .zero, $0) }
        return withUnsafeBytes(of: UInt8(1)) { hmac(key: extracted, info, $0) }
    }

    /// HKDF-SHA-256 with the UTF-8 bytes of `label` as info.
    static func hkdf(_ key: Bytes32, label: String) -> Bytes32 {
        Array(label.utf8).withUnsafeBytes { hkdf(key, info: $0) }
    }

    /// Calls `body` with one 64-byte block of SHA-256: the key, padded with zero bytes and XORed
    /// with `pattern`.
    private static func withBlock(
        of key: Bytes32,
        filling pattern: UInt64,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let block = (
            key.words.0.bigEndian ^ pattern, key.words.1.bigEndian ^ pattern,
            key.words.2.bigEndian ^ pattern, key.words.3.bigEndian ^ pattern,
            pattern, pattern, pattern, pattern
        )
        withUnsafeBytes(of: block, body)
    }
}
