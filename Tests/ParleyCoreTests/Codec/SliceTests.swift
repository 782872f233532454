import ParleyCore
import ParleyFaults
import Testing

/// Slices are compared eight bytes at a time.
@Suite struct SliceTests {
    /// Regression: differences in most bytes of a block of 32 were not seen.
    @Test(arguments: [1, 7, 8, 31, 32, 33, 63, 64, 65, 96])
    func everyBitCounts(count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let slice = Slice([9] + bytes)[1..<count + 1]
        #expect(slice == Slice(bytes))
        #expect(slice == Slice([7, 7, 7] + bytes)[3..<3 + count])
        for bit in 0..<8 * count {
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(slice != Slice(other), "bit \(bit)")
            #expect(slice != Slice([7] + other)[1..<1 + count], "bit \(bit)")
        }
    }

    @Test func aPartIsComparedAlone() {
        let slice = Slice((0..<100).map { UInt8($0) })
        var other = slice.bytes
        other[39] = 0
        other[80] = 0
        #expect(slice[40..<80] == Slice(other)[40..<80])
        #expect(slice[39..<80] != Slice(other)[39..<80])
        #expect(slice[40..<81] != Slice(other)[40..<81])
        #expect(slice[5..<5] == .empty)
    }

    @Test func lengthsCount() {
        let bytes = [UInt8](repeating: 1, count: 40)
        #expect(Slice(bytes) != Slice(Array(bytes.dropLast())))
        #expect(Slice([]) == .empty)
    }
}
