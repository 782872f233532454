import ParleyCore
import Testing

/// A peer is asked for some envelopes now; others wait.
struct WantQueueTests {
    private let entries = (1...UInt64(WantQueue.unansweredMax + 3)).map { HaveEntry($0) }

    private func take(_ queue: inout WantQueue, besides settled: UInt64? = nil) -> [UInt64] {
        queue.take { name in
            entries.first { $0.name == name && $0.dot.sequence != settled }
        }
        .map(\.dot.sequence)
    }

    @Test func fewWantsAreUnansweredAtATime() {
        let max = UInt64(WantQueue.unansweredMax)
        var queue = WantQueue()
        for entry in entries.dropLast() { queue.add(entry.name) }
        #expect(take(&queue) == Array(1...max))
        #expect(take(&queue) == [])
        queue.settled(entries[3].name)
        #expect(take(&queue) == [max + 1])
        // An envelope that is asked for again frees its place, and waits behind the others.
        queue.add(entries[0].name)
        #expect(take(&queue) == [max + 2])
        #expect(!queue.isEmpty)
        queue.settled(entries[1].name)
        #expect(take(&queue) == [1])
        #expect(queue.isEmpty)
        queue.add(entries[0].name)
        #expect(take(&queue) == [1])
    }

    @Test func wantsAreTakenOnceAndOnlyWhileTheyAreWanted() {
        var queue = WantQueue()
        for index in [0, 1, 0, 2, 3] { queue.add(entries[index].name) }
        queue.settled(entries[3].name)
        #expect(take(&queue, besides: 2) == [1, 3])
        #expect(queue.isEmpty)
    }

    /// A queue that was empty in between has the order of what came since.
    @Test func anEmptyQueueHasNoOrder() {
        var queue = WantQueue()
        queue.add(entries[0].name)
        queue.settled(entries[0].name)
        for index in [1, 0] { queue.add(entries[index].name) }
        #expect(take(&queue) == [2, 1])
    }

    /// An envelope that is settled while it waits and comes again keeps its turn at most once.
    @Test func settledWantsLeaveNothing() {
        var queue = WantQueue()
        queue.add(entries[0].name)
        for _ in 0..<1_000 {
            for entry in entries[1...4] { queue.add(entry.name) }
            for entry in entries[1...4] { queue.settled(entry.name) }
        }
        #expect(take(&queue) == [1])
        #expect(queue.isEmpty)
    }
}
