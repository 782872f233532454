import ParleyFaults
import Testing

/// The order of `parley simulate --guided`.
struct GuidedSeedsTests {
    @Test func noSeedIsChosenTwice() {
        #expect(Set(GuidedSeeds.chosen).count == GuidedSeeds.chosen.count)
    }

    @Test func allSeedsFollowTheChosenOnes() {
        let count = UInt64(GuidedSeeds.chosen.count)
        #expect((0..<count).map(GuidedSeeds.seed) == GuidedSeeds.chosen)
        #expect((count..<count + 3).map(GuidedSeeds.seed) == [0, 1, 2])
    }
}
