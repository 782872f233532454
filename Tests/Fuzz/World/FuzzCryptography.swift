import ParleyCore
import ParleyFaults

/// Cryptography that accepts every signature and every seal, so that bytes reach what is behind.
struct FuzzCryptography: Cryptography {
    private let inner: SimulatedCryptography

    init(seed: UInt64) {
        inner = SimulatedCryptography(seed: seed)
    }

    var devicePublicKey: Bytes32 { inner.devicePublicKey }

    func sha256(_ bytes: RawSpan, then rest: RawSpan) -> Bytes32 { inner.sha256(bytes, then: rest) }

    func hmac(_ bytes: RawSpan, key: Bytes32) -> Bytes32 { inner.hmac(bytes, key: key) }

    func deriveKey(from key: Bytes32, info: RawSpan) -> Bytes32 {
        inner.deriveKey(from: key, info: info)
    }

    func deriveDeviceKey(info: RawSpan) -> Bytes32 { inner.deriveDeviceKey(info: info) }

    func sign(_ bytes: RawSpan) -> Signature { inner.sign(bytes) }

    func publicKey(ofSeed seed: Bytes32) -> Bytes32 { inner.publicKey(ofSeed: seed) }

    func sign(_ bytes: RawSpan, bySeed seed: Bytes32) -> Signature {
        inner.sign(bytes, bySeed: seed)
    }

    func agreementKey(of secret: Bytes32) -> Bytes32 { inner.agreementKey(of: secret) }

    func agree(_ secret: Bytes32, with key: Bytes32) -> Bytes32? { inner.agree(secret, with: key) }

    var group: any PrimeGroup { inner.group }

    func agreementKey(ofDevice key: Bytes32) -> Bytes32? { inner.agreementKey(ofDevice: key) }

    func agreeAsDevice(with key: Bytes32) -> Bytes32? { inner.agreeAsDevice(with: key) }

    func verify(_ signature: Signature, of bytes: RawSpan, by publicKey: Bytes32) -> Bool { true }

    func seal(
        _ plaintext: RawSpan,
        key: Bytes32,
        nonce: SealNonce,
        authenticating header: RawSpan
    ) -> [UInt8] {
        nonce.bytes + Self.array(plaintext) + [UInt8](repeating: 0, count: Bytes16.count)
    }

    func open(_ sealed: RawSpan, key: Bytes32, authenticating header: RawSpan) -> [UInt8]? {
        guard sealed.byteCount >= SealNonce.overhead else { return nil }
        return Self.array(
            sealed.extracting(SealNonce.count..<sealed.byteCount - Bytes16.count)
        )
    }

    private static func array(_ bytes: RawSpan) -> [UInt8] {
        (0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
}
