package import ParleyCore

/// A fast replacement for cryptography in tests of the core: deterministic, with the right sizes,
/// and without any security.
///
/// A hash is a 256-bit mix of the input. A signature is the hash of public key and bytes, so
/// anybody who knows the public key can make it. Sealing is a keystream and a keyed tag. Honest
/// code cannot tell it from real cryptography: equal inputs give equal outputs, and a changed bit
/// is noticed.
package struct SimulatedCryptography: Cryptography {
    /// The purpose of a signature.
    package enum SignatureUse: Sendable {
        /// Lets a device write.
        case certificate
        /// Proves who wrote an envelope.
        case proof
    }

    package let devicePublicKey: Bytes32
    /// The purpose for which every signature is accepted; only mutants have one.
    private var accepted: SignatureUse?

    /// The device with this number.
    package init(seed: UInt64) {
        var mix = Mix(domain: 1)
        mix.absorb(seed)
        devicePublicKey = mix.finish()
    }

    package func sha256(_ bytes: RawSpan, then rest: RawSpan) -> Bytes32 {
        var mix = Mix(domain: 2)
        mix.absorb(bytes, then: rest)
        return mix.finish()
    }

    package func hmac(_ bytes: RawSpan, key: Bytes32) -> Bytes32 {
        var mix = Mix(domain: 3)
        mix.absorb(key)
        mix.absorb(bytes)
        return mix.finish()
    }

    package func deriveKey(from key: Bytes32, info: RawSpan) -> Bytes32 {
        var mix = Mix(domain: 4)
        mix.absorb(key)
        mix.absorb(info)
        return mix.finish()
    }

    package func deriveDeviceKey(info: RawSpan) -> Bytes32 {
        deriveKey(from: devicePublicKey, info: info)
    }

    package func sign(_ bytes: RawSpan) -> Signature {
        Self.signature(of: bytes, by: devicePublicKey)
    }

    package func publicKey(ofSeed seed: Bytes32) -> Bytes32 {
        var mix = Mix(domain: 8)
        mix.absorb(seed)
        return mix.finish()
    }

    package func sign(_ bytes: RawSpan, bySeed seed: Bytes32) -> Signature {
        Self.signature(of: bytes, by: publicKey(ofSeed: seed))
    }

    package func agreementKey(of secret: Bytes32) -> Bytes32 { publicKey(ofSeed: secret) }

    package var group: any PrimeGroup { SimulatedGroup() }

    package func agreementKey(ofDevice key: Bytes32) -> Bytes32? {
        key == .zero ? nil : agreementKey(of: key)
    }

    package func agreeAsDevice(with key: Bytes32) -> Bytes32? { agree(devicePublicKey, with: key) }

    /// Both have the same result, as the public key of either is known to both; with zero nobody
    /// agrees, as with a point of small order.
    package func agree(_ secret: Bytes32, with key: Bytes32) -> Bytes32? {
        guard key != .zero else { return nil }
        let own = agreementKey(of: secret)
        var mix = Mix(domain: 9)
        mix.absorb(min(own, key))
        mix.absorb(max(own, key))
        return mix.finish()
    }

    package func verify(_ signature: Signature, of bytes: RawSpan, by publicKey: Bytes32) -> Bool {
        if let accepted, accepted == Self.use(of: bytes) { return true }
        return signature == Self.signature(of: bytes, by: publicKey)
    }

    /// The same cryptography, but every signature for one purpose is accepted.
    package func accepting(_ use: SignatureUse) -> SimulatedCryptography {
        var crypto = self
        crypto.accepted = use
        return crypto
    }

    package func seal(
        _ plaintext: RawSpan,
        key: Bytes32,
        nonce: SealNonce,
        authenticating header: RawSpan
    ) -> [UInt8] {
        var sealed = nonce.bytes
        sealed.reserveCapacity(plaintext.byteCount + SealNonce.overhead)
        Self.appendKeystreamed(plaintext, key: key, nonce: nonce, to: &sealed)
        Self.tag(of: sealed.span.bytes, key: key, header: header).append(to: &sealed)
        return sealed
    }

    package func open(_ sealed: RawSpan, key: Bytes32, authenticating header: RawSpan) -> [UInt8]? {
        guard sealed.byteCount >= SealNonce.overhead else { return nil }
        let tagStart = sealed.byteCount - Bytes16.count
        let expected = Self.tag(of: sealed.extracting(..<tagStart), key: key, header: header)
        guard
            Self.word(sealed, at: tagStart) == expected.words.0,
            Self.word(sealed, at: tagStart + 8) == expected.words.1
        else { return nil }
        let nonce = SealNonce(
            high: UInt32(
                bigEndian: sealed.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self)
            ),
            low: Self.word(sealed, at: 4)
        )
        var plaintext: [UInt8] = []
        Self.appendKeystreamed(
            sealed.extracting(SealNonce.count..<tagStart),
            key: key,
            nonce: nonce,
            to: &plaintext
        )
        return plaintext
    }

    private static func signature(of bytes: RawSpan, by publicKey: Bytes32) -> Signature {
        var mix = Mix(domain: 5)
        mix.absorb(publicKey)
        mix.absorb(bytes)
        let half = mix.finish()
        return Signature(first: half, second: half)
    }

    /// The purpose of a signature over these bytes, by their length: certificates name a device.
    private static func use(of bytes: RawSpan) -> SignatureUse {
        let certified = DeviceID(.zero).certifiedBytes.count
        return bytes.byteCount == certified ? .certificate : .proof
    }

    private static func tag(of bytes: RawSpan, key: Bytes32, header: RawSpan) -> Bytes16 {
        var mix = Mix(domain: 6)
        mix.absorb(key)
        mix.absorb(header)
        mix.absorb(bytes)
        return mix.finish().prefix16
    }

    private static func appendKeystreamed(
        _ bytes: RawSpan,
        key: Bytes32,
        nonce: SealNonce,
        to buffer: inout [UInt8]
    ) {
        var mix = Mix(domain: 7)
        mix.absorb(key)
        mix.absorb(UInt64(nonce.high))
        mix.absorb(nonce.low)
        var stream = SeededRandom(seed: mix.finish().words.0)
        var word: UInt64 = 0
        for index in 0..<bytes.byteCount {
            if index.isMultiple(of: 8) { word = stream.next() }
            buffer.append(
                bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                    ^ UInt8(truncatingIfNeeded: word)
            )
            word >>= 8
        }
    }

    private static func word(_ bytes: RawSpan, at offset: Int) -> UInt64 {
        UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

/// The 256-bit mix behind `SimulatedCryptography`: four lanes of multiply, rotate and exclusive or.
private struct Mix {
    private var lanes: (UInt64, UInt64, UInt64, UInt64)

    package init(domain: UInt64) {
        lanes = (
            domain, 0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9
        )
    }

    package mutating func absorb(_ word: UInt64) {
        let mixed = (lanes.0 ^ word) &* 0xff51_afd7_ed55_8ccd
        lanes.0 = lanes.1 &+ (mixed << 29 | mixed >> 35)
        lanes.1 = (lanes.2 ^ mixed) &* 0xc4ce_b9fe_1a85_ec53
        lanes.2 = lanes.3 &+ (mixed >> 31)
        lanes.3 = (lanes.3 << 17 | lanes.3 >> 47) ^ mixed
    }

    package mutating func absorb(_ value: Bytes32) {
        absorb(value.words.0)
        absorb(value.words.1)
        absorb(value.words.2)
        absorb(value.words.3)
    }

    /// The length comes first, so that no two sequences of calls absorb the same words.
    package mutating func absorb(_ bytes: RawSpan) {
        absorb(UInt64(bytes.byteCount))
        absorbWords(of: bytes, from: 0)
    }

    /// The same for bytes that lie in two places, as if the second followed the first.
    package mutating func absorb(_ bytes: RawSpan, then rest: RawSpan) {
        let count = bytes.byteCount
        guard !rest.isEmpty else { return absorb(bytes) }
        absorb(UInt64(count + rest.byteCount))
        let seam = count & ~7
        absorbWords(of: bytes.extracting(..<seam), from: 0)
        guard seam < count else { return absorbWords(of: rest, from: 0) }
        // The word that has bytes of both, then words of the rest.
        let end = min(seam + 8, count + rest.byteCount)
        var word: UInt64 = 0
        for offset in (seam..<end).reversed() {
            let byte =
                offset < count
                ? bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
                : rest.unsafeLoad(fromByteOffset: offset - count, as: UInt8.self)
            word = word << 8 | UInt64(byte)
        }
        // A word that is not full has its first byte on top, as at the end of `absorbWords`.
        absorb(end - seam == 8 ? word : word.byteSwapped >> UInt64(64 - 8 * (end - seam)))
        absorbWords(of: rest, from: min(seam + 8 - count, rest.byteCount))
    }

    private mutating func absorbWords(of bytes: RawSpan, from start: Int) {
        var offset = start
        // A copy of the lanes stays in registers.
        var mix = self
        while offset + 8 <= bytes.byteCount {
            mix.absorb(bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        self = mix
        guard offset < bytes.byteCount else { return }
        var last: UInt64 = 0
        while offset < bytes.byteCount {
            last = last << 8 | UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
            offset += 1
        }
        absorb(last)
    }

    package mutating func finish() -> Bytes32 {
        for round in 1...UInt64(8) { absorb(round) }
        return Bytes32(lanes.0, lanes.1, lanes.2, lanes.3)
    }
}
