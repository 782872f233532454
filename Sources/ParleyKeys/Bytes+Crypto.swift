import Crypto
import ParleyCore

extension Bytes32 {
    /// The bytes of `buffer`, which must hold exactly 32.
    init(raw buffer: UnsafeRawBufferPointer) {
        precondition(buffer.count == Bytes32.count, "a 32-byte value was made from other bytes")
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        self.init(word(0), word(1), word(2), word(3))
    }

    init(_ digest: SHA256.Digest) {
        self = digest.withUnsafeBytes { Bytes32(raw: $0) }
    }

    /// Calls `body` with the bytes on the stack, so that no array is made.
    func withRawBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let ordered = (
            words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian
        )
        return try withUnsafeBytes(of: ordered, body)
    }
}

extension Signature {
    /// Calls `body` with the 64 bytes on the stack, so that no array is made.
    func withRawBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let ordered = (
            first.words.0.bigEndian, first.words.1.bigEndian,
            first.words.2.bigEndian, first.words.3.bigEndian,
            second.words.0.bigEndian, second.words.1.bigEndian,
            second.words.2.bigEndian, second.words.3.bigEndian
        )
        return try withUnsafeBytes(of: ordered, body)
    }
}

extension SealNonce {
    /// Calls `body` with the 12 bytes on the stack, so that no array is made.
    func withRawBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let ordered = (
            high.bigEndian, UInt32(truncatingIfNeeded: low >> 32).bigEndian,
            UInt32(truncatingIfNeeded: low).bigEndian
        )
        return try withUnsafeBytes(of: ordered, body)
    }
}
