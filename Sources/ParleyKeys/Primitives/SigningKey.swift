import CSodium
import ParleyCore

/// An Ed25519 key pair (RFC 8032), computed by libsodium.
struct SigningKey: Sendable {
    /// The private key as RFC 8032 defines it, before hashing and clamping; secret.
    let seed: Bytes32
    let publicKey: Bytes32

    /// The key pair with the RFC 8032 private key `seed`, which may be any 32 bytes.
    init(seed: Bytes32) {
        Sodium.initialize()
        self.seed = seed
        // The seed and the public key once more.
        var privateKey = [UInt8](repeating: 0, count: 64)
        defer { privateKey.wipe() }
        publicKey = Bytes32 { publicKey in
            seed.withPointer { _ = crypto_sign_ed25519_seed_keypair(publicKey, &privateKey, $0) }
        }
    }

    /// A new key pair from the system's random source.
    static func random() -> SigningKey {
        var random = SystemRandomNumberGenerator()
        return SigningKey(
            seed: Bytes32(random.next(), random.next(), random.next(), random.next())
        )
    }

    /// The signature of `bytes`; the same bytes have the same signature.
    func sign(_ bytes: UnsafeRawBufferPointer) -> Signature {
        let message = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        // A private key of libsodium is the seed and the public key: as long as a signature.
        let privateKey = Signature(first: seed, second: publicKey)
        return Signature { signature in
            privateKey.withPointer {
                _ = crypto_sign_ed25519_detached(signature, nil, message, UInt64(bytes.count), $0)
            }
        }
    }
}

extension Signature {
    /// Whether this is a signature of `bytes` by `publicKey`, by the rule of docs/protocol.md "When
    /// a signature is valid".
    func isValid(for bytes: UnsafeRawBufferPointer, by publicKey: Bytes32) -> Bool {
        Sodium.initialize()
        let message = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let count = UInt64(bytes.count)
        return withPointer { signature in
            publicKey.withPointer {
                crypto_sign_ed25519_verify_detached(signature, message, count, $0) == 0
            }
        }
    }
}

extension [UInt8] {
    /// Overwrites the bytes of a secret before the memory is used again.
    mutating func wipe() {
        withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) }
    }
}

/// libsodium wants to be initialized once in a process, before any other call.
private enum Sodium {
    private static let code = sodium_init()

    static func initialize() {
        precondition(code >= 0, "libsodium found no source of randomness")
    }
}
