package import ParleyCore

/// The Ed25519 key pair that is a device's identity.
///
/// Never printed: its description is the device ID.
package struct DeviceKey: Sendable {
    /// Raw, 32 bytes.
    package let publicKey: Bytes32
    package let id: DeviceID
    let signingKey: SigningKey

    /// The key pair with the RFC 8032 private key `seed`, which may be any 32 bytes.
    package init(seed: Bytes32) {
        self.init(signingKey: SigningKey(seed: seed))
    }

    private init(signingKey: SigningKey) {
        self.signingKey = signingKey
        publicKey = signingKey.publicKey
        id = DeviceID(publicKey: publicKey)
    }

    /// A new key pair from the system's random source.
    package static func random() -> DeviceKey {
        DeviceKey(signingKey: .random())
    }

    /// The private key as RFC 8032 defines it, 32 bytes; secret.
    package var rawPrivateKey: [UInt8] { signingKey.seed.bytes }
}

extension DeviceKey: Equatable {
    package static func == (left: DeviceKey, right: DeviceKey) -> Bool {
        left.publicKey == right.publicKey
    }
}

extension DeviceKey: CustomStringConvertible, CustomReflectable {
    package var description: String { id.text }
    package var customMirror: Mirror { Mirror(self, children: ["id": id.text]) }
}

extension DeviceID {
    /// The device whose raw Ed25519 public key is `publicKey`: SHA-256 of the 44 bytes of its
    /// SubjectPublicKeyInfo (RFC 8410).
    package init(publicKey: Bytes32) {
        self.init(SHA256.hash(DeviceID.publicKeyPrefix + publicKey.bytes))
    }

    /// The DER bytes that precede the 32 bytes of an Ed25519 public key.
    private static let publicKeyPrefix: [UInt8] = [
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]
}
