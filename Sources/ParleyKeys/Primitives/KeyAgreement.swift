import CSodium
import ParleyCore

/// X25519 (RFC 7748), computed by libsodium.
enum KeyAgreement {
    /// The public key of a secret.
    static func publicKey(of secret: Bytes32) -> Bytes32 {
        Bytes32 { publicKey in
            secret.withPointer { _ = crypto_scalarmult_curve25519_base(publicKey, $0) }
        }
    }

    /// The shared secret of a secret key and another's public key; nil for a key of small order.
    static func shared(_ secret: Bytes32, with publicKey: Bytes32) -> Bytes32? {
        var isAgreed = false
        let shared = Bytes32 { shared in
            secret.withPointer { secret in
                publicKey.withPointer {
                    isAgreed = crypto_scalarmult_curve25519(shared, secret, $0) == 0
                }
            }
        }
        return isAgreed ? shared : nil
    }

    /// The shared secret of a device's key and another device's public key, both converted from
    /// Ed25519; nil for a key with a part of small order.
    static func shared(_ own: SigningKey, withDevice publicKey: Bytes32) -> Bytes32? {
        var isConverted = false
        let converted = Bytes32 { converted in
            publicKey.withPointer {
                isConverted = crypto_sign_ed25519_pk_to_curve25519(converted, $0) == 0
            }
        }
        guard isConverted else { return nil }
        // A private key of libsodium is the seed and the public key: as long as a signature.
        let privateKey = Signature(first: own.seed, second: own.publicKey)
        let secret = Bytes32 { secret in
            privateKey.withPointer { _ = crypto_sign_ed25519_sk_to_curve25519(secret, $0) }
        }
        return shared(secret, with: converted)
    }
}
