/// A range of a shared array, by which bytes travel through the core without a copy.
///
/// The array never changes, and is freed with its last slice. Indices run from 0 to `count`,
/// wherever the range begins.
package struct Slice: Sendable {
    /// The whole array.
    package let storage: [UInt8]
    /// The index in the array at which the slice begins.
    let start: UInt32
    private let length: UInt32

    /// All of `bytes`; at most 4 GiB.
    package init(_ bytes: [UInt8]) {
        storage = bytes
        start = 0
        length = UInt32(bytes.count)
    }

    private init(storage: [UInt8], start: UInt32, length: UInt32) {
        self.storage = storage
        self.start = start
        self.length = length
    }

    /// No bytes.
    package static let empty = Slice([])

    package var count: Int { Int(length) }
    package var isEmpty: Bool { length == 0 }

    /// The byte at `index`, which must be in `0..<count`.
    package subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "a slice was read outside its range")
        return storage[Int(start) + index]
    }

    /// A slice of this slice, which shares the array; `range` must lie within `0..<count`.
    package subscript(range: Range<Int>) -> Slice {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a slice was cut wrong")
        return Slice(
            storage: storage,
            start: start + UInt32(range.lowerBound),
            length: UInt32(range.count)
        )
    }

    /// A copy of the bytes as an array.
    package var bytes: [UInt8] {
        isWhole ? storage : Array(storage[Int(start)..<Int(start) + count])
    }

    /// The same bytes in an array of hardly more, so that a short slice keeps no long read alive.
    package func compacted() -> Slice {
        storage.count - count <= storage.count / 16 ? self : Slice(bytes)
    }

    /// Calls `body` with the bytes in place.
    package func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.span.bytes.extracting(Int(start)..<Int(start) + count))
    }

    /// Appends the bytes to `buffer`.
    package func append(to buffer: inout [UInt8]) {
        append(0..<count, to: &buffer)
    }

    /// Appends the bytes of a range, which must lie within the slice, to `buffer`.
    package func append(_ range: Range<Int>, to buffer: inout [UInt8]) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a slice was cut wrong")
        let first = Int(start) + range.lowerBound
        storage.withUnsafeBufferPointer { bytes in
            let part = UnsafeBufferPointer(rebasing: bytes[first..<first + range.count])
            buffer.append(contentsOf: part)
        }
    }

    private var isWhole: Bool { count == storage.count }
}

extension Slice: Equatable {
    package static func == (left: Slice, right: Slice) -> Bool {
        guard left.count == right.count else { return false }
        return left.withBytes { ours in right.withBytes { ours.hasBytes(of: $0) } }
    }
}

extension RawSpan {
    /// Whether a span of the same length has the same bytes.
    fileprivate func hasBytes(of other: RawSpan) -> Bool {
        precondition(byteCount == other.byteCount, "spans of different lengths were compared")
        var offset = 0
        // The loops keep every offset in range, and long spans are compared for each envelope.
        while offset + 32 <= byteCount {
            let areSame =
                (word(at: offset) == other.word(at: offset))
                && (word(at: offset + 8) == other.word(at: offset + 8))
                && (word(at: offset + 16) == other.word(at: offset + 16))
                && (word(at: offset + 24) == other.word(at: offset + 24))
            guard areSame else { return false }
            offset += 32
        }
        while offset < byteCount {
            guard
                unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
                    == other.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
            else { return false }
            offset += 1
        }
        return true
    }

    private func word(at offset: Int) -> UInt64 {
        unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    }
}
