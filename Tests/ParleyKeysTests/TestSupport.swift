import Foundation
import ParleyCore
import ParleyKeys
import TestSupport
import Testing

/// The bytes of hexadecimal digits; spaces are ignored.
func bytes(_ hex: String) throws -> [UInt8] {
    try #require(Hexadecimal.bytes(hex.filter { $0 != " " }))
}

func bytes32(_ hex: String) throws -> Bytes32 { try #require(Bytes32(bytes(hex))) }

func signature(_ bytes: [UInt8]) throws -> Signature {
    try #require(bytes.count == Signature.count)
    return Signature(reading: Slice(bytes), at: 0)
}

/// 32 bytes that count up from `first`.
func counting(from first: UInt8) -> Bytes32 {
    var bytes: [UInt8] = []
    for step in 0..<UInt8(32) { bytes.append(first &+ step) }
    return Bytes32(reading: Slice(bytes), at: 0)
}

extension TestDirectory {
    /// The names of its files.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}

/// The operations of `Cryptography` on arrays, because `#expect` cannot capture a span.
extension Cryptography {
    func hmac(_ bytes: [UInt8], key: Bytes32) -> Bytes32 { hmac(bytes.span.bytes, key: key) }

    func deriveKey(from key: Bytes32, info: [UInt8]) -> Bytes32 {
        deriveKey(from: key, info: info.span.bytes)
    }

    func sign(_ bytes: [UInt8]) -> Signature { sign(bytes.span.bytes) }

    func verify(_ signature: Signature, of bytes: [UInt8], by publicKey: Bytes32) -> Bool {
        verify(signature, of: bytes.span.bytes, by: publicKey)
    }

    func seal(
        _ plaintext: [UInt8],
        key: Bytes32,
        nonce: SealNonce,
        authenticating header: [UInt8]
    ) -> [UInt8] {
        seal(plaintext.span.bytes, key: key, nonce: nonce, authenticating: header.span.bytes)
    }

    func open(_ sealed: [UInt8], key: Bytes32, authenticating header: [UInt8]) -> [UInt8]? {
        open(sealed.span.bytes, key: key, authenticating: header.span.bytes)
    }
}
