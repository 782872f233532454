/// The input of a hash over a few values, at most 72 bytes, built without allocation.
struct HashInput {
    private var bytes = InlineArray<72, UInt8>(repeating: 0)
    private var count = 0

    mutating func append(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    /// Appends the UTF-8 bytes of a label.
    mutating func append(_ label: StaticString) {
        label.withUTF8Buffer { for byte in $0 { append(byte) } }
    }

    mutating func append(_ value: Bytes16) {
        append(value.words.0)
        append(value.words.1)
    }

    mutating func append(_ value: Bytes32) {
        append(value.words.0)
        append(value.words.1)
        append(value.words.2)
        append(value.words.3)
    }

    func sha256(using cryptography: some Cryptography) -> Bytes32 {
        cryptography.sha256(bytes.span.bytes.extracting(first: count))
    }

    /// The hash of these bytes followed by `rest`.
    func sha256(then rest: RawSpan, using cryptography: some Cryptography) -> Bytes32 {
        cryptography.sha256(bytes.span.bytes.extracting(first: count), then: rest)
    }

    /// Appends the big-endian bytes of a word.
    private mutating func append(_ word: UInt64) {
        var target = bytes.mutableSpan
        var words = target.mutableBytes
        words.storeBytes(of: word.bigEndian, toByteOffset: count, as: UInt64.self)
        count += 8
    }
}
