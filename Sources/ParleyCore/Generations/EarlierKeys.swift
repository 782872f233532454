/// The K of earlier generations in a generation record: of the parent, and of generations that the
/// parent's K does not open, so that later members read the kept envelopes.
///
/// These are generations beside the line, and those behind a record whose author has sealed a wrong
/// key.
struct EarlierKeys {
    let ofParent: Bytes32
    /// By the tags of the generations, which are 0 for the birth generation.
    let further: [(tag: UInt64, key: Bytes32)]

    /// u64 tag ‖ K.
    static let furtherBytes = 8 + Bytes32.count

    init(ofParent: Bytes32, further: [(tag: UInt64, key: Bytes32)]) {
        self.ofParent = ofParent
        self.further = further
    }

    /// Opens what a record has, with K of its generation.
    init?(_ sealed: Slice, under readKey: Bytes32, using crypto: some Cryptography) {
        let opened = sealed.withBytes { bytes in
            let key = Self.sealKey(readKey, using: crypto)
            return crypto.open(bytes, key: key, authenticating: RawSpan())
        }
        guard let opened, opened.count >= Bytes32.count,
            (opened.count - Bytes32.count).isMultiple(of: Self.furtherBytes)
        else { return nil }
        let bytes = Slice(opened)
        ofParent = Bytes32(reading: bytes, at: 0)
        further = stride(from: Bytes32.count, to: bytes.count, by: Self.furtherBytes)
            .map { (bytes.bigEndian(at: $0), Bytes32(reading: bytes, at: $0 + 8)) }
    }

    func sealed(under readKey: Bytes32, using crypto: some Cryptography) -> Slice {
        var bytes = ofParent.bytes
        for (tag, key) in further {
            bytes.appendBigEndian(tag)
            bytes += key.bytes
        }
        // The key is used once, so the nonce may be a constant.
        return Slice(
            crypto.seal(
                bytes.span.bytes,
                key: Self.sealKey(readKey, using: crypto),
                nonce: SealNonce(high: 0, low: 0),
                authenticating: RawSpan()
            )
        )
    }

    private static func sealKey(_ readKey: Bytes32, using crypto: some Cryptography) -> Bytes32 {
        crypto.deriveKey(from: readKey, info: Array("parley earlier".utf8).span.bytes)
    }
}
