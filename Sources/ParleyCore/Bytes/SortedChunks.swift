/// A set in ascending order, in chunks of at most `chunkMax` elements.
///
/// Inserting or removing costs O(log count) comparisons and the move of a part of one chunk; an
/// element above all others is appended. A range is read at the cost of finding its first element.
package struct SortedChunks<Element: Comparable & Sendable>: Sendable {
    private var chunks: [[Element]] = []
    package private(set) var count = 0

    package init() {}

    /// Low enough for cheap moves, and high enough for few chunks.
    private static var chunkMax: Int { 256 }

    /// Inserts an element, unless it is there.
    package mutating func insert(_ element: Element) {
        guard let last = chunks.last?.last, element < last else {
            if chunks.last?.last != element { append(element) }
            return
        }
        var chunk = chunkIndex(of: element)
        if chunks[chunk].count == Self.chunkMax { chunk = split(chunk, before: element) }
        let index = chunks[chunk].partitioningIndex { $0 >= element }
        guard index == chunks[chunk].count || chunks[chunk][index] != element else { return }
        chunks[chunk].insert(element, at: index)
        count += 1
    }

    /// Removes an element, if it is there.
    package mutating func remove(_ element: Element) {
        let chunk = chunkIndex(of: element)
        guard chunk < chunks.count else { return }
        let index = chunks[chunk].partitioningIndex { $0 >= element }
        guard chunks[chunk][index] == element else { return }
        chunks[chunk].remove(at: index)
        count -= 1
        guard !chunks[chunk].isEmpty else {
            chunks.remove(at: chunk)
            return
        }
        join(chunk)
        join(chunk - 1)
    }

    /// The last elements below `bound`, or of all: at most `count`, ascending.
    package func last(_ count: Int, before bound: Element?) -> [Element] {
        var found: [Element] = []
        var (chunk, index) = bound.map(place) ?? (chunks.count, 0)
        while found.count < count {
            if index == 0 {
                guard chunk > 0 else { break }
                chunk -= 1
                index = chunks[chunk].count
            }
            index -= 1
            found.append(chunks[chunk][index])
        }
        return found.reversed()
    }

    /// The first elements above `bound`, or of all: at most `count`, ascending.
    package func first(_ count: Int, after bound: Element?) -> [Element] {
        var found: [Element] = []
        var (chunk, index) = bound.map(place) ?? (0, 0)
        while found.count < count, chunk < chunks.count {
            guard index < chunks[chunk].count else {
                (chunk, index) = (chunk + 1, 0)
                continue
            }
            if chunks[chunk][index] != bound { found.append(chunks[chunk][index]) }
            index += 1
        }
        return found
    }

    // MARK: Chunks

    /// The first chunk that can have the element, as its last element is not lower.
    private func chunkIndex(of element: Element) -> Int {
        chunks.partitioningIndex { $0[$0.count - 1] >= element }
    }

    /// The place of the first element not below `bound`.
    private func place(of bound: Element) -> (chunk: Int, index: Int) {
        let chunk = chunkIndex(of: bound)
        guard chunk < chunks.count else { return (chunk, 0) }
        return (chunk, chunks[chunk].partitioningIndex { $0 >= bound })
    }

    /// Adds an element above all others; a full chunk stays full.
    private mutating func append(_ element: Element) {
        if chunks.last?.count ?? Self.chunkMax == Self.chunkMax {
            chunks.append([])
            // The first chunk grows with its elements, as most sets stay small.
            if chunks.count > 1 { chunks[chunks.count - 1].reserveCapacity(Self.chunkMax) }
        }
        chunks[chunks.count - 1].append(element)
        count += 1
    }

    /// Halves a chunk, and returns the half for the element.
    private mutating func split(_ chunk: Int, before element: Element) -> Int {
        let half = Self.chunkMax / 2
        chunks.insert(Array(chunks[chunk][half...]), at: chunk + 1)
        chunks[chunk].removeLast(Self.chunkMax - half)
        return element > chunks[chunk][half - 1] ? chunk + 1 : chunk
    }

    /// Joins a chunk with the next one if both have become small.
    private mutating func join(_ chunk: Int) {
        guard chunk >= 0, chunk + 1 < chunks.count,
            chunks[chunk].count + chunks[chunk + 1].count <= Self.chunkMax / 2
        else { return }
        chunks[chunk].append(contentsOf: chunks[chunk + 1])
        chunks.remove(at: chunk + 1)
    }
}
