/// An array in chunks of `chunkCount` elements, of which no element ever moves.
///
/// Only the last chunk is partly unused. A doubling array has up to half of its memory unused, and
/// needs old and new memory together while it grows. Everything is inlinable, so that other targets
/// use the code specialized for `Element`.
@frozen
@usableFromInline
package struct ChunkedArray<Element> {
    @usableFromInline var chunks: [[Element]] = []
    @usableFromInline var length = 0

    /// The number of elements in a chunk: a power of two.
    @usableFromInline static var chunkCount: Int { 256 }

    @inlinable
    package init() {}

    @inlinable
    package mutating func append(_ element: Element) {
        if length == chunks.count * Self.chunkCount {
            chunks.append([])
            // The first chunk grows with its elements, as most tables stay small.
            if chunks.count > 1 { chunks[chunks.count - 1].reserveCapacity(Self.chunkCount) }
        }
        chunks[chunks.count - 1].append(element)
        length += 1
    }
}

extension ChunkedArray: RandomAccessCollection, MutableCollection {
    @inlinable
    package var startIndex: Int { 0 }
    @inlinable
    package var endIndex: Int { length }

    /// Reads and changes an element in place.
    @inlinable
    package subscript(index: Int) -> Element {
        _read { yield chunks[index / Self.chunkCount][index % Self.chunkCount] }
        _modify { yield &chunks[index / Self.chunkCount][index % Self.chunkCount] }
    }
}

extension ChunkedArray: Sendable where Element: Sendable {}
