import ParleyCore
import Testing

/// The sessions used longest ago leave memory when it holds more envelopes than it may.
struct EnvelopeCacheTests {
    @Test(arguments: [
        Fit(kept: 0, bytes: 100, fits: true),
        Fit(kept: 0, bytes: 101, fits: false),
        Fit(kept: 60, bytes: 40, fits: true),
        Fit(kept: 60, bytes: 41, fits: false),
    ])
    func capacityIsThatOfAllEnvelopes(_ fit: Fit) {
        var cache = EnvelopeCache(limit: 100)
        cache.kept(.whole(.empty), size: fit.kept)
        #expect(cache.hasCapacity(for: fit.bytes) == fit.fits)
        cache.dropped(.whole(.empty), size: fit.kept)
        #expect(cache.hasCapacity(for: 100))
    }

    /// An envelope of `bytes` beside others of `kept` bytes, in a cache of 100 bytes.
    struct Fit: Sendable {
        let kept: Int
        let bytes: Int
        let fits: Bool
    }

    @Test func oldestSessionLeavesFirst() {
        var cache = EnvelopeCache(limit: 100)
        for session in Int32(1)...4 {
            cache.kept(.whole(.empty), size: 40)
            cache.queued(conversation: 7, session: session)
        }
        #expect(cache.leave(40) == [1, 2])
        #expect(cache.leave(40) == [], "the rest fits")
        cache.kept(.whole(.empty), size: 40)
        #expect(cache.leave(40) == [3])
        #expect(cache.leave(40) == [])
    }

    @Test func nothingLeavesAnEmptyLine() {
        var cache = EnvelopeCache(limit: 100)
        cache.kept(.whole(.empty), size: 101)
        #expect(cache.next() == nil)
        cache.queued(conversation: 7, session: 1)
        #expect(cache.next()?.conversation == 7)
        #expect(cache.next() == nil)
    }

    /// The line is cut once in a while; its order stays.
    @Test func longLineKeepsItsOrder() {
        var cache = EnvelopeCache(limit: 0)
        for session in Int32(0)..<3_000 {
            cache.kept(.whole(.empty), size: 1)
            cache.queued(conversation: 7, session: session)
        }
        #expect(cache.leave(1) == Array(0..<3_000))
    }

    @Test func rowIsReadOnce() {
        var cache = EnvelopeCache(limit: 100)
        let answers = [cache.awaits(row: 1), cache.awaits(row: 1), cache.awaits(row: 2)]
        #expect(answers == [true, false, true])
        cache.loaded(row: 1)
        #expect(cache.awaits(row: 1) == true)
    }

    @Test func newRowsFollowThoseOnDisk() {
        var cache = EnvelopeCache(limit: 100)
        let first = cache.takeRow()
        cache.found(row: 5)
        cache.found(row: 3)
        let rest = [cache.takeRow(), cache.takeRow()]
        #expect(first == 1)
        #expect(rest == [6, 7])
    }
}

extension EnvelopeCache {
    /// The sessions that leave until the rest fits, each with `bytes` of envelopes.
    fileprivate mutating func leave(_ bytes: Int) -> [Int32] {
        var sessions: [Int32] = []
        while let next = next() {
            sessions.append(next.session)
            dropped(.whole(.empty), size: bytes)
        }
        return sessions
    }
}
