import ParleyCore
import Testing

/// A chunked array holds what an array holds.
@Suite struct ChunkedArrayTests {
    @Test(arguments: [0, 1, 255, 256, 257, 1_000])
    func holdsItsElementsInOrder(count: Int) {
        var chunked = ChunkedArray<[Int]>()
        for number in 0..<count { chunked.append([number]) }
        #expect(Array(chunked) == (0..<count).map { [$0] })
        #expect(chunked.count == count)
        #expect(chunked.last == (count > 0 ? [count - 1] : nil))
    }

    @Test func elementsChangeInPlaceAndCopiesDoNot() {
        var chunked = ChunkedArray<[Int]>()
        for number in 0..<600 { chunked.append([number]) }
        let copy = chunked
        for index in chunked.indices { chunked[index].append(-index) }
        #expect(Array(chunked) == (0..<600).map { [$0, -$0] })
        #expect(Array(copy) == (0..<600).map { [$0] })
    }
}
