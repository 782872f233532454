import ParleyCore
import Synchronization
import TestSupport
import Testing

/// A sorted set against an array that is sorted again and again.
@Suite(.serialized) struct SortedChunksTests {
    /// A number that counts how often numbers were compared.
    private struct Counted: Comparable, Sendable {
        let value: Int

        /// The tests of this suite run one after another.
        static let comparisons = Mutex(0)

        init(_ value: Int) { self.value = value }

        static func < (left: Counted, right: Counted) -> Bool {
            comparisons.withLock { $0 += 1 }
            return left.value < right.value
        }
    }

    /// Numbers come and go at random, first mostly the one and then mostly the other.
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func hasWhatASortedArrayHas(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var chunks = SortedChunks<Int>()
        var array: [Int] = []
        for step in 0..<4_000 {
            let value = Int.random(in: 0..<1_500, using: &random)
            let grows = Int.random(in: 0..<10, using: &random) < (step < 2_000 ? 8 : 1)
            let index = array.firstIndex { $0 >= value } ?? array.count
            let isThere = index < array.count && array[index] == value
            if grows {
                chunks.insert(value)
                if !isThere { array.insert(value, at: index) }
            } else {
                chunks.remove(value)
                if isThere { array.remove(at: index) }
            }
            guard step % 97 == 0 else { continue }
            let count = Int.random(in: 0..<400, using: &random)
            #expect(chunks.count == array.count)
            let (below, above) = (array.filter { $0 < value }, array.filter { $0 > value })
            #expect(chunks.last(count, before: value) == Array(below.suffix(count)))
            #expect(chunks.first(count, after: value) == Array(above.prefix(count)))
            #expect(chunks.last(count, before: nil) == Array(array.suffix(count)))
            #expect(chunks.first(.max, after: nil) == array)
        }
    }

    /// Elements that come in order, as a transcript grows, are found in order.
    @Test func takesAscendingAndDescendingNumbers() {
        var chunks = SortedChunks<Int>()
        for value in 0..<3_000 { chunks.insert(value) }
        for value in (-3_000..<0).reversed() { chunks.insert(value) }
        #expect(chunks.first(.max, after: nil) == Array(-3_000..<3_000))
        for value in -2_900..<2_900 { chunks.remove(value) }
        #expect(chunks.last(200, before: 0) == Array(-3_000..<(-2_900)))
        for value in -3_000..<3_000 { chunks.remove(value) }
        #expect(chunks.count == 0 && chunks.first(9, after: nil).isEmpty)
        chunks.insert(7)
        #expect(chunks.last(9, before: nil) == [7])
    }

    /// Fifty elements anywhere cost a search and fifty elements, whatever the number of others.
    @Test func aPartCostsAsMuchAsThePart() {
        var costs: [Int] = []
        for count in [200, 20_000] {
            var chunks = SortedChunks<Counted>()
            for value in 0..<count { chunks.insert(Counted(value)) }
            Counted.comparisons.withLock { $0 = 0 }
            let part = chunks.last(50, before: Counted(count / 2))
            #expect(part.map(\.value) == Array(count / 2 - 50..<count / 2))
            costs.append(Counted.comparisons.withLock { $0 })
            Counted.comparisons.withLock { $0 = 0 }
            chunks.insert(Counted(count / 3))
            chunks.remove(Counted(count / 3))
            costs.append(Counted.comparisons.withLock { $0 })
        }
        #expect(costs.allSatisfy { $0 < 100 }, "comparisons: \(costs)")
    }
}
