import ParleyCore
import ParleyFaults
import Testing

/// An author cannot choose sequences whose dots share a bucket of an index.
@Suite struct OriginHashTests {
    /// Regression: the factor was shifted before the multiplication, so that a bucket followed from
    /// the lower bits of the sequence alone, and one bucket had all sequences in steps of 2^20.
    @Test(arguments: [0, 12, 20, 32, 38] as [UInt64], 0..<UInt64(20))
    func sequencesInStepsSpread(step: UInt64, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let hash = OriginHash(factor: random.next())
        var buckets = [Int](repeating: 0, count: 2_048)
        for number in 1..<UInt64(1_024) {
            buckets[hash.hash(of: number << step) & (buckets.count - 1)] += 1
        }
        #expect(buckets.allSatisfy { $0 <= 24 })
    }
}
