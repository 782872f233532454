/// The cryptographic operations that the protocol needs, on behalf of one device.
///
/// `ParleyKeys` has the real implementation; tests and the simulator have a fast deterministic one.
/// All calls are synchronous and have no side effects.
package protocol Cryptography: Sendable {
    /// The raw Ed25519 public key of this device, 32 bytes.
    var devicePublicKey: Bytes32 { get }

    /// SHA-256, FIPS 180-4, of bytes followed by `rest`.
    func sha256(_ bytes: RawSpan, then rest: RawSpan) -> Bytes32

    /// HMAC-SHA-256, RFC 2104.
    func hmac(_ bytes: RawSpan, key: Bytes32) -> Bytes32

    /// HKDF-SHA-256 with an empty salt and 32 bytes of output, RFC 5869.
    func deriveKey(from key: Bytes32, info: RawSpan) -> Bytes32

    /// HKDF-SHA-256 as `deriveKey`, from the private key of this device.
    func deriveDeviceKey(info: RawSpan) -> Bytes32

    /// An Ed25519 signature of this device, RFC 8032, 64 bytes.
    func sign(_ bytes: RawSpan) -> Signature

    /// The raw Ed25519 public key of the private key `seed` of a guest.
    func publicKey(ofSeed seed: Bytes32) -> Bytes32

    /// An Ed25519 signature by the private key `seed` of a guest.
    func sign(_ bytes: RawSpan, bySeed seed: Bytes32) -> Signature

    /// The public key of a secret, X25519, RFC 7748.
    func agreementKey(of secret: Bytes32) -> Bytes32

    /// X25519 of a secret and the public key of somebody else; nil for a key of small order.
    func agree(_ secret: Bytes32, with key: Bytes32) -> Bytes32?

    /// The group in which decks are masked.
    var group: any PrimeGroup { get }

    /// The X25519 key that belongs to the Ed25519 key of a device, both as points of one curve; nil
    /// for a key with a part of small order.
    func agreementKey(ofDevice key: Bytes32) -> Bytes32?

    /// X25519 of the private key of this device, converted likewise, and a public key; nil for a
    /// key of small order.
    func agreeAsDevice(with key: Bytes32) -> Bytes32?

    /// Whether the owner of `publicKey` (raw, 32 bytes) made `signature` over `bytes`:
    /// cofactorless, S below the group order, no key of small order.
    func verify(_ signature: Signature, of bytes: RawSpan, by publicKey: Bytes32) -> Bool

    /// AES-256-GCM: the nonce, the ciphertext and the 16-byte tag, one after the other.
    func seal(
        _ plaintext: RawSpan,
        key: Bytes32,
        nonce: SealNonce,
        authenticating header: RawSpan
    ) -> [UInt8]

    /// The plaintext of sealed bytes, or nil if the key, the header or the bytes are not the same.
    func open(_ sealed: RawSpan, key: Bytes32, authenticating header: RawSpan) -> [UInt8]?
}

/// An Ed25519 signature: 64 bytes.
package struct Signature: Hashable, Sendable {
    package let first: Bytes32
    package let second: Bytes32

    package static let count = 64

    package init(first: Bytes32, second: Bytes32) {
        self.first = first
        self.second = second
    }

    /// Reads 64 bytes of `slice` from `offset` on; they must be there.
    package init(reading slice: Slice, at offset: Int) {
        first = Bytes32(reading: slice, at: offset)
        second = Bytes32(reading: slice, at: offset + 32)
    }

    package var bytes: [UInt8] { first.bytes + second.bytes }

    /// Appends the 64 bytes.
    func append(to buffer: inout [UInt8]) {
        first.append(to: &buffer)
        second.append(to: &buffer)
    }
}

/// The 96-bit nonce of AES-GCM; random, never derived from an envelope's name.
package struct SealNonce: Hashable, Sendable {
    package let high: UInt32
    package let low: UInt64

    package static let count = 12
    /// The bytes that sealing adds: the nonce in front and the tag at the end.
    package static let overhead = count + 16

    package init(high: UInt32, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(using random: inout some RandomNumberGenerator) {
        high = random.next()
        low = random.next()
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(high)
        bytes.appendBigEndian(low)
        return bytes
    }
}

extension Cryptography {
    /// X25519 of this device's private key, and of another device's Ed25519 public key, both
    /// converted; nil for a key with a part of small order.
    package func agree(withDevice key: Bytes32) -> Bytes32? {
        agreementKey(ofDevice: key).flatMap { agreeAsDevice(with: $0) }
    }

    /// SHA-256 of bytes.
    package func sha256(_ bytes: RawSpan) -> Bytes32 { sha256(bytes, then: RawSpan()) }

    /// SHA-256 of an array.
    package func sha256(_ bytes: [UInt8]) -> Bytes32 { sha256(bytes.span.bytes) }

    /// SHA-256 of a slice.
    package func sha256(_ slice: Slice) -> Bytes32 { slice.withBytes { sha256($0) } }
}
