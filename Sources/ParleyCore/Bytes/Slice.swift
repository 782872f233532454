/// A range of a reference-counted `Chunk`: how bytes travel through the core without being copied.
///
/// Indices run from 0 to `count`, whatever the range of the chunk is.
package struct Slice: Sendable {
    package let chunk: Chunk
    /// Where the slice begins in the chunk.
    let start: UInt32
    private let length: UInt32

    /// All of `bytes`; at most 4 GiB.
    package init(_ bytes: [UInt8]) {
        chunk = Chunk(bytes)
        start = 0
        length = UInt32(bytes.count)
    }

    private init(chunk: Chunk, start: UInt32, length: UInt32) {
        self.chunk = chunk
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
        return chunk.bytes[Int(start) + index]
    }

    /// The part `range` of this slice, which must lie inside it; shares the chunk.
    package subscript(range: Range<Int>) -> Slice {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a slice was cut wrong")
        return Slice(
            chunk: chunk,
            start: start + UInt32(range.lowerBound),
            length: UInt32(range.count)
        )
    }

    /// A copy of the bytes as an array.
    package var bytes: [UInt8] {
        isWholeChunk ? chunk.bytes : Array(chunk.bytes[Int(start)..<Int(start) + count])
    }

    /// The same bytes in a chunk that holds nothing else, so that a short slice that is kept does
    /// not keep a long read alive.
    package func compacted() -> Slice {
        isWholeChunk ? self : Slice(bytes)
    }

    /// Calls `body` with the bytes in place.
    package func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = chunk.bytes
        return try body(bytes.span.bytes.extracting(Int(start)..<Int(start) + count))
    }

    /// Appends the bytes to `buffer`.
    package func append(to buffer: inout [UInt8]) {
        buffer.append(contentsOf: chunk.bytes[Int(start)..<Int(start) + count])
    }

    private var isWholeChunk: Bool { count == chunk.bytes.count }
}

extension Slice: Equatable {
    package static func == (left: Slice, right: Slice) -> Bool {
        left.count == right.count && left.bytes == right.bytes
    }
}
