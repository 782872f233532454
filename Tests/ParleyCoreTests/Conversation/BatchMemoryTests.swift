import ParleyCore
import Testing

/// A batch frame is in memory as a whole for as long as one of its envelopes is.
@Suite struct BatchMemoryTests {
    /// A frame of 200 bytes, whose first entry has one hash.
    private static let body: Slice = {
        var body = [UInt8](repeating: 0, count: 200)
        body[4 + Signature.count + 9] = 1
        return Slice(body)
    }()

    private static func free(_ cache: EnvelopeCache) -> Int {
        var free = 0
        while cache.hasCapacity(for: free + 1) { free += 1 }
        return free
    }

    @Test func aFrameCountsAsAWholeUntilItsLastEnvelopeLeaves() throws {
        var cache = EnvelopeCache(limit: 1_000)
        let block = try cache.open(Self.body, of: 1)
        #expect(Self.free(cache) == 800, "it is being read")
        let place = EnvelopePlace.entry(of: block, at: 68)
        cache.kept(place, size: 150)
        cache.kept(place, size: 160)
        cache.close(block)
        #expect(Self.free(cache) == 800)
        cache.dropped(place, size: 150)
        #expect(Self.free(cache) == 800)
        cache.dropped(place, size: 160)
        #expect(Self.free(cache) == 1_000)
    }

    @Test func aFrameOfWhichNothingIsKeptLeavesOnceItWasRead() throws {
        var cache = EnvelopeCache(limit: 1_000)
        let block = try cache.open(Self.body, of: 1)
        let place = EnvelopePlace.entry(of: block, at: 68)
        cache.kept(place, size: 150)
        cache.dropped(place, size: 150)
        #expect(Self.free(cache) == 800)
        cache.close(block)
        #expect(Self.free(cache) == 1_000)
    }

    @Test func framesAreSparseOnceMostOfThemIsObsolete() throws {
        var cache = EnvelopeCache(limit: 199)
        let block = try cache.open(Self.body, of: 1)
        let place = EnvelopePlace.entry(of: block, at: 68)
        cache.kept(place, size: 99)
        cache.kept(place, size: 1)
        cache.close(block)
        #expect(cache.takeSparse().isEmpty, "half of the frame is kept")
        cache.dropped(place, size: 1)
        #expect(cache.takeSparse().map(ObjectIdentifier.init) == [ObjectIdentifier(block)])
        #expect(cache.takeSparse().isEmpty, "it was taken")
    }

    @Test func aFrameThatIsSparseFromTheBeginningIsFoundWhenMemoryIsShort() throws {
        var cache = EnvelopeCache(limit: 200)
        let block = try cache.open(Self.body, of: 1)
        cache.kept(.entry(of: block, at: 68), size: 99)
        cache.close(block)
        #expect(cache.takeSparse().isEmpty, "there is memory")
        cache.kept(.whole(.empty), size: 1)
        #expect(cache.takeSparse().count == 1)
    }

    /// Regression: each frame that became sparse left its number in a list that nobody emptied
    /// while there was memory.
    @Test func aSparseFrameIsListedOnceThoughItsNumberWasUsedBefore() throws {
        var cache = EnvelopeCache(limit: 1_000)
        for round in 1...100 {
            let block = try cache.open(Self.body, of: 1)
            let place = EnvelopePlace.entry(of: block, at: 68)
            cache.kept(place, size: 10)
            cache.close(block)
            if round < 100 { cache.dropped(place, size: 10) }
        }
        cache.kept(.whole(.empty), size: 1_000)
        #expect(cache.takeSparse().count == 1)
    }
}
