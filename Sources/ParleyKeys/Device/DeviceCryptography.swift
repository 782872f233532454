import Crypto
import Foundation
package import ParleyCore

/// The cryptography of the protocol with one device's key, by swift-crypto (BoringSSL).
///
/// Signatures are checked as RFC 8032 section 5.1.7 without the cofactor: `S` must be below the
/// group order, and the encoding of `[S]B - [k]A` must equal `R` byte for byte. Signing is
/// deterministic.
package struct DeviceCryptography: Cryptography {
    package let devicePublicKey: Bytes32
    private let signingKey: Curve25519.Signing.PrivateKey

    package init(_ key: DeviceKey) {
        devicePublicKey = key.publicKey
        signingKey = key.signingKey
    }

    package func sha256(_ bytes: RawSpan) -> Bytes32 {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Bytes32(hash.finalize())
    }

    package func hmac(_ bytes: RawSpan, key: Bytes32) -> Bytes32 {
        bytes.withUnsafeBytes { KeyDerivation.hmac(key: key, $0) }
    }

    package func deriveKey(from key: Bytes32, info: RawSpan) -> Bytes32 {
        info.withUnsafeBytes { KeyDerivation.hkdf(key, info: $0) }
    }

    package func sign(_ bytes: RawSpan) -> Signature {
        bytes.withUnsafeBytes { KeyDerivation.sign($0, with: signingKey) }
    }

    package func verify(
        _ signature: Signature,
        of bytes: RawSpan,
        by publicKey: Bytes32
    ) -> Bool {
        let key: Curve25519.Signing.PublicKey
        do {
            key = try publicKey.withRawBytes {
                try Curve25519.Signing.PublicKey(rawRepresentation: $0)
            }
        } catch {
            preconditionFailure("Ed25519 refused a public key of 32 bytes before using it")
        }
        return bytes.withUnsafeBytes { message in
            signature.withRawBytes { key.isValidSignature($0, for: message) }
        }
    }

    package func seal(
        _ plaintext: RawSpan,
        key: Bytes32,
        nonce: SealNonce,
        authenticating header: RawSpan
    ) -> [UInt8] {
        do {
            let symmetric = key.withRawBytes { SymmetricKey(data: $0) }
            let number = try nonce.withRawBytes { try AES.GCM.Nonce(data: $0) }
            let box = try plaintext.withUnsafeBytes { plain in
                try header.withUnsafeBytes { known in
                    try AES.GCM.seal(plain, using: symmetric, nonce: number, authenticating: known)
                }
            }
            guard let combined = box.combined else {
                preconditionFailure("AES-GCM with a 96-bit nonce has no combined form")
            }
            return Array(combined)
        } catch {
            preconditionFailure("AES-256-GCM refused a key of 32 bytes and a nonce of 12")
        }
    }

    package func open(
        _ sealed: RawSpan,
        key: Bytes32,
        authenticating header: RawSpan
    ) -> [UInt8]? {
        guard sealed.byteCount >= SealNonce.overhead else { return nil }
        let symmetric = key.withRawBytes { SymmetricKey(data: $0) }
        // Every failure gives the same answer, so that the sender learns nothing from the reason.
        let opened = sealed.withUnsafeBytes { bytes in
            header.withUnsafeBytes { known in
                try? AES.GCM.open(
                    AES.GCM.SealedBox(combined: bytes),
                    using: symmetric,
                    authenticating: known
                )
            }
        }
        return opened.map { Array($0) }
    }
}
