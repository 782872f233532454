/// Sixteen bytes as two words, so that identifiers compare and hash without an allocation.
package struct Bytes16: Hashable, Sendable {
    /// The first and the last eight bytes, each as a big-endian number.
    package let words: (UInt64, UInt64)

    package static let count = 16
    package static let zero = Bytes16(0, 0)

    package init(_ first: UInt64, _ second: UInt64) {
        words = (first, second)
    }

    package static func == (left: Bytes16, right: Bytes16) -> Bool {
        left.words == right.words
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}

/// Thirty-two bytes as four words: digests, keys and the identifiers made from them.
package struct Bytes32: Hashable, Sendable {
    /// The eight bytes of each quarter as a big-endian number.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package static let count = 32
    package static let zero = Bytes32(0, 0, 0, 0)

    package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        words = (first, second, third, fourth)
    }

    /// The first half.
    package var prefix16: Bytes16 { Bytes16(words.0, words.1) }

    package static func == (left: Bytes32, right: Bytes32) -> Bool {
        left.words == right.words
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension Bytes16: Comparable {
    package static func < (left: Bytes16, right: Bytes16) -> Bool { left.words < right.words }
}

extension Bytes32: Comparable {
    package static func < (left: Bytes32, right: Bytes32) -> Bool { left.words < right.words }
}

/// A value of a fixed number of bytes, which can be read from and written to a buffer.
package protocol FixedBytes: Hashable, Comparable, Sendable {
    static var count: Int { get }

    /// Reads `count` bytes of `slice` from `offset` on, which must be there.
    init(reading slice: Slice, at offset: Int)

    func append(to buffer: inout [UInt8])
}

extension FixedBytes {
    /// The value of exactly `count` bytes, or nil.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.init(reading: Slice(bytes), at: 0)
    }

    /// The bytes as an array of length `count`.
    package var bytes: [UInt8] {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(Self.count)
        append(to: &buffer)
        return buffer
    }

    /// Lower-case hexadecimal, two digits a byte.
    package var hex: String { Hexadecimal.text(bytes) }

    /// The value of `2 * count` hexadecimal digits, or nil.
    package init?(hex: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(hex) else { return nil }
        self.init(bytes)
    }
}

extension Bytes16: FixedBytes {
    package init(reading slice: Slice, at offset: Int) {
        self = slice.withBytes { bytes in
            Bytes16(bytes.bigEndian(at: offset), bytes.bigEndian(at: offset + 8))
        }
    }

    package func append(to buffer: inout [UInt8]) {
        buffer.appendBigEndian(words.0)
        buffer.appendBigEndian(words.1)
    }
}

extension Bytes32: FixedBytes {
    package init(reading slice: Slice, at offset: Int) {
        self = slice.withBytes { bytes in
            Bytes32(
                bytes.bigEndian(at: offset),
                bytes.bigEndian(at: offset + 8),
                bytes.bigEndian(at: offset + 16),
                bytes.bigEndian(at: offset + 24)
            )
        }
    }

    package func append(to buffer: inout [UInt8]) {
        let bigEndian = (
            words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian
        )
        Swift.withUnsafeBytes(of: bigEndian) { buffer.append(contentsOf: $0) }
    }
}
