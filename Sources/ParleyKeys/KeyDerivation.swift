import Crypto
import Foundation
import ParleyCore

/// The cryptographic functions of the protocol that need no device key: HKDF, SHA-256 and Ed25519
/// key pairs.
enum KeyDerivation {
    typealias SigningKey = Curve25519.Signing.PrivateKey

    /// HMAC-SHA-256 (RFC 2104) of the bytes of `first` and then of `second`.
    ///
    /// It is implemented on swift-crypto's SHA-256, because for inputs of a few blocks
    /// swift-crypto's own HMAC spends most of its time on arrays and generics.
    static func hmac(
        key: Bytes32,
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) -> Bytes32 {
        var inner = SHA256()
        withBlock(of: key, filling: 0x3636_3636_3636_3636) { inner.update(bufferPointer: $0) }
        inner.update(bufferPointer: first)
        inner.update(bufferPointer: second)
        var outer = SHA256()
        withBlock(of: key, filling: 0x5c5c_5c5c_5c5c_5c5c) { outer.update(bufferPointer: $0) }
        inner.finalize().withUnsafeBytes { outer.update(bufferPointer: $0) }
        return Bytes32(outer.finalize())
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

    static func sha256(_ bytes: [UInt8]) -> Bytes32 { Bytes32(SHA256.hash(data: bytes)) }

    /// The Ed25519 key whose RFC 8032 private key is `seed`: any 32 bytes are one.
    static func signingKey(seed: Bytes32) -> SigningKey {
        do {
            return try seed.withRawBytes {
                try Curve25519.Signing.PrivateKey(rawRepresentation: $0)
            }
        } catch {
            preconditionFailure("Ed25519 refused a private key of 32 bytes")
        }
    }

    static func publicKey(of key: SigningKey) -> Bytes32 {
        key.publicKey.rawRepresentation.withUnsafeBytes { Bytes32(raw: $0) }
    }

    static func sign(
        _ bytes: UnsafeRawBufferPointer,
        with key: SigningKey
    ) -> Signature {
        do {
            return try key.signature(for: bytes).withUnsafeBytes { signature in
                Signature(
                    first: Bytes32(raw: UnsafeRawBufferPointer(rebasing: signature[..<32])),
                    second: Bytes32(raw: UnsafeRawBufferPointer(rebasing: signature[32...]))
                )
            }
        } catch {
            preconditionFailure("Ed25519 refused to sign with a valid key")
        }
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
