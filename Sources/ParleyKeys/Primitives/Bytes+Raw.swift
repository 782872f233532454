import ParleyCore

/// Values of the core as the bytes in memory that C functions read and write, without an array.
extension Bytes32 {
    /// The 32 bytes that `write` stores at the address passed in.
    init(writtenBy write: (UnsafeMutablePointer<UInt8>) -> Void) {
        var ordered: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutablePointer(to: &ordered) {
            $0.withMemoryRebound(to: UInt8.self, capacity: Bytes32.count, write)
        }
        self.init(
            UInt64(bigEndian: ordered.0),
            UInt64(bigEndian: ordered.1),
            UInt64(bigEndian: ordered.2),
            UInt64(bigEndian: ordered.3)
        )
    }

    /// Calls `body` with the address of the 32 bytes.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        let ordered = (
            words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian
        )
        return withUnsafePointer(to: ordered) {
            $0.withMemoryRebound(to: UInt8.self, capacity: Bytes32.count, body)
        }
    }

    /// Calls `body` with the 32 bytes.
    func withRawBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withPointer { body(UnsafeRawBufferPointer(start: $0, count: Bytes32.count)) }
    }
}

extension Signature {
    private static let count = 64

    /// The 64 bytes that `write` stores at the address passed in.
    init(writtenBy write: (UnsafeMutablePointer<UInt8>) -> Void) {
        var second = Bytes32.zero
        let first = Bytes32 { first in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Signature.count) { both in
                guard let start = both.baseAddress else { return }
                write(start)
                first.update(from: start, count: Bytes32.count)
                second = Bytes32 { $0.update(from: start + Bytes32.count, count: Bytes32.count) }
            }
        }
        self.init(first: first, second: second)
    }

    /// Calls `body` with the address of the 64 bytes.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        let ordered = (
            first.words.0.bigEndian, first.words.1.bigEndian,
            first.words.2.bigEndian, first.words.3.bigEndian,
            second.words.0.bigEndian, second.words.1.bigEndian,
            second.words.2.bigEndian, second.words.3.bigEndian
        )
        return withUnsafePointer(to: ordered) {
            $0.withMemoryRebound(to: UInt8.self, capacity: Signature.count, body)
        }
    }
}

extension SealNonce {
    /// Calls `body` with the 12 bytes.
    func withRawBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let ordered = (
            high.bigEndian, UInt32(truncatingIfNeeded: low >> 32).bigEndian,
            UInt32(truncatingIfNeeded: low).bigEndian
        )
        return withUnsafeBytes(of: ordered, body)
    }
}
