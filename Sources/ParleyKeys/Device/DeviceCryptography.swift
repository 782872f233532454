package import ParleyCore

/// The cryptography of the protocol with one device's key, by libsodium (Ed25519, X25519) and
/// OpenSSL (SHA-256, AES-256-GCM).
///
/// Signing is deterministic; docs/protocol.md "When a signature is valid" has the rule of checking.
package struct DeviceCryptography: Cryptography {
    package let devicePublicKey: Bytes32
    private let signingKey: SigningKey

    package init(_ key: DeviceKey) {
        devicePublicKey = key.publicKey
        signingKey = key.signingKey
    }

    package func sha256(_ bytes: RawSpan, then rest: RawSpan) -> Bytes32 {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        rest.withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    package func hmac(_ bytes: RawSpan, key: Bytes32) -> Bytes32 {
        bytes.withUnsafeBytes { KeyDerivation.hmac(key: key, $0) }
    }

    package func deriveKey(from key: Bytes32, info: RawSpan) -> Bytes32 {
        info.withUnsafeBytes { KeyDerivation.hkdf(key, info: $0) }
    }

    package func deriveDeviceKey(info: RawSpan) -> Bytes32 {
        deriveKey(from: signingKey.seed, info: info)
    }

    package func sign(_ bytes: RawSpan) -> Signature {
        bytes.withUnsafeBytes { signingKey.sign($0) }
    }

    package func publicKey(ofSeed seed: Bytes32) -> Bytes32 { SigningKey(seed: seed).publicKey }

    package func sign(_ bytes: RawSpan, bySeed seed: Bytes32) -> Signature {
        bytes.withUnsafeBytes { SigningKey(seed: seed).sign($0) }
    }

    package func agreementKey(of secret: Bytes32) -> Bytes32 { KeyAgreement.publicKey(of: secret) }

    package func agree(_ secret: Bytes32, with key: Bytes32) -> Bytes32? {
        KeyAgreement.shared(secret, with: key)
    }

    package var group: any PrimeGroup { Ristretto255() }

    package func agreementKey(ofDevice key: Bytes32) -> Bytes32? {
        KeyAgreement.publicKey(ofDevice: key)
    }

    package func agreeAsDevice(with key: Bytes32) -> Bytes32? {
        KeyAgreement.shared(KeyAgreement.secret(ofDevice: signingKey), with: key)
    }

    package func verify(
        _ signature: Signature,
        of bytes: RawSpan,
        by publicKey: Bytes32
    ) -> Bool {
        bytes.withUnsafeBytes { signature.isValid(for: $0, by: publicKey) }
    }

    package func seal(
        _ plaintext: RawSpan,
        key: Bytes32,
        nonce: SealNonce,
        authenticating header: RawSpan
    ) -> [UInt8] {
        plaintext.withUnsafeBytes { plain in
            header.withUnsafeBytes { known in
                AES256GCM.seal(plain, key: key, nonce: nonce, authenticating: known)
            }
        }
    }

    package func open(
        _ sealed: RawSpan,
        key: Bytes32,
        authenticating header: RawSpan
    ) -> [UInt8]? {
        guard sealed.byteCount >= SealNonce.overhead else { return nil }
        return sealed.withUnsafeBytes { bytes in
            header.withUnsafeBytes { known in
                AES256GCM.open(bytes, key: key, authenticating: known)
            }
        }
    }
}
