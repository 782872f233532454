import ParleyDiscovery
import TestSupport
import Testing

struct ResolveQueueTests {
    private let now: Duration = .seconds(100)

    private func key(_ number: Int, _ prefix: String = "parley") -> ResolveQueue.Key {
        ResolveQueue.Key(name: "\(prefix)-\(number)", interfaceIndex: 2, isIPv6: false)
    }

    private func drain(_ queue: inout ResolveQueue) -> [ResolveQueue.Key] {
        var keys: [ResolveQueue.Key] = []
        while let key = queue.next() { keys.append(key) }
        return keys
    }

    @Test func neverHasMoreThan64Resolvers() {
        var queue = ResolveQueue()
        for number in 0..<200 { #expect(queue.appeared(key(number)) == true) }
        let first = drain(&queue)
        #expect(first == (0..<64).map { key($0) })
        #expect(queue.resolvingCount == 64)
        #expect(queue.waitingCount == 136)
        queue.resolved(first[0])
        queue.vanished(first[1])
        #expect(drain(&queue) == [key(64), key(65)])
        #expect(queue.count == 199)
    }

    @Test func dropsAndCountsSightingsOverTheLimit() {
        var queue = ResolveQueue()
        for number in 0..<DiscoveryLimits.services { #expect(queue.appeared(key(number)) == true) }
        #expect(queue.appeared(key(1_000_000)) == false)
        #expect(queue.appeared(key(1_000_001)) == false)
        #expect(queue.droppedCount == 2 && queue.takeDropped() == 2)
        #expect(queue.appeared(key(1_000_002)) == false)
        #expect(queue.takeDropped() == nil, "not twice as many")
        #expect(queue.appeared(key(5)) == true)
        #expect(queue.next() == key(0))
    }

    @Test func triesAgainLaterAndForgetsInTheEnd() throws {
        var queue = ResolveQueue()
        var now = now
        var waits: [Duration] = []
        _ = queue.appeared(key(1))
        for attempt in 1...DiscoveryLimits.resolveAttempts {
            #expect(queue.next() == key(1))
            let again = queue.failed(key(1), at: now)
            #expect(again == (attempt < DiscoveryLimits.resolveAttempts))
            guard again else { break }
            #expect(queue.next() == nil)
            let wake = try #require(queue.wakeAt)
            waits.append(wake - now)
            now = wake
            queue.woke(at: now)
        }
        #expect(waits == [.seconds(1), .seconds(4), .seconds(16)])
        #expect(queue.count == 0)
        #expect(queue.wakeAt == nil)
        #expect(queue.resolvingCount == 0)
    }

    @Test func resolvesAgainWhenASightingIsRepeated() {
        var queue = ResolveQueue()
        _ = queue.appeared(key(1))
        _ = queue.appeared(key(1))
        #expect(drain(&queue) == [key(1)])
        _ = queue.appeared(key(1))
        #expect(drain(&queue).isEmpty)
        queue.resolved(key(1))
        _ = queue.appeared(key(1))
        #expect(drain(&queue) == [key(1)])
        #expect(queue.failed(key(1), at: now) == true)
        _ = queue.appeared(key(1))
        #expect(drain(&queue) == [key(1)])
        #expect(queue.wakeAt == nil)
    }

    @Test func forgetsWhatVanishedInEveryState() {
        var queue = ResolveQueue()
        for number in 1...3 { _ = queue.appeared(key(number)) }
        queue.vanished(key(1))
        #expect(queue.next() == key(2))
        queue.vanished(key(2))
        #expect(queue.resolvingCount == 0)
        #expect(queue.next() == key(3))
        #expect(queue.failed(key(3), at: now) == true)
        queue.vanished(key(3))
        #expect(queue.wakeAt == nil)
        #expect(queue.count == 0)
        queue.vanished(key(4))
        queue.resolved(key(4))
        #expect(queue.failed(key(4), at: now) == true)
    }

    /// Thousands of names that come and go while all resolvers are stuck do not accumulate.
    @Test func doesNotPileUpLeftovers() {
        var queue = ResolveQueue()
        for number in 0..<64 { _ = queue.appeared(key(number)) }
        _ = drain(&queue)
        for number in 0..<100_000 {
            _ = queue.appeared(key(number % 500, "churn"))
            if number % 500 != 7 { queue.vanished(key(number % 500, "churn")) }
            #expect(queue.waitingCount <= 2 * DiscoveryLimits.services)
        }
        queue.resolved(key(0))
        #expect(queue.next() == key(7, "churn"))
        #expect(queue.count == 65)
    }

    /// Compares the queue with a model: each key is in one state, and the counts agree.
    @Test(arguments: 0..<UInt64(100))
    func agreesWithACount(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = ResolveQueue()
        var resolving: Set<ResolveQueue.Key> = []
        var now = now
        for _ in 0..<2_000 {
            let key = key(Int.random(in: 0..<150, using: &random))
            switch UInt8.random(in: 0..<6, using: &random) {
            case 0, 1:
                _ = queue.appeared(key)
            case 2:
                queue.vanished(key)
                resolving.remove(key)
            case 3:
                if resolving.remove(key) != nil { queue.resolved(key) }
            case 4:
                if resolving.remove(key) != nil { _ = queue.failed(key, at: now) }
            default:
                now += .milliseconds(300)
                queue.woke(at: now)
            }
            while let next = queue.next() { #expect(resolving.insert(next).inserted) }
            #expect(queue.resolvingCount == resolving.count)
            #expect(resolving.count <= DiscoveryLimits.resolvers)
            #expect(queue.count <= 150)
        }
    }
}
