/// Decides which sightings get one of the few resolvers, and when; without I/O.
///
/// A sighting is `queued`, `resolving`, `backingOff` between two attempts, or `resolved`.
package struct ResolveQueue: Sendable {
    /// An instance name on one interface with one version of IP.
    package struct Key: Hashable, Sendable {
        package let name: String
        package let interfaceIndex: Int32
        package let isIPv6: Bool

        package init(name: String, interfaceIndex: Int32, isIPv6: Bool) {
            self.name = name
            self.interfaceIndex = interfaceIndex
            self.isIPv6 = isIPv6
        }
    }

    private enum Status: Sendable, Equatable {
        case queued(attempt: Int)
        case resolving(attempt: Int)
        case backingOff(attempt: Int)
        case resolved
    }

    private struct Backoff: Sendable {
        let until: Duration
        let key: Key
    }

    private var statuses: [Key: Status] = [:]
    private var queue = Queue()
    /// The sightings that wait for their next attempt, in no particular order of `until`.
    private var backoffs: [Backoff] = []
    package private(set) var resolvingCount = 0
    /// Sightings that were dropped because of the limit, since the start.
    package private(set) var droppedCount = 0
    private var reportedDropped = 0

    package init() {}

    package var count: Int { statuses.count }
    package var waitingCount: Int { queue.count + backoffs.count }

    /// A sighting is new or was repeated; returns false if the limit does not allow it.
    package mutating func appeared(_ key: Key) -> Bool {
        switch statuses[key] {
        case .queued, .resolving:
            return true
        case .backingOff:
            backoffs.removeAll { $0.key == key }
        case .resolved:
            break
        case nil:
            guard statuses.count < DiscoveryLimits.services else {
                droppedCount += 1
                return false
            }
        }
        enqueue(key, attempt: 0)
        return true
    }

    /// The count of dropped sightings, once each time it has doubled.
    package mutating func takeDropped() -> Int? {
        guard droppedCount > 0, droppedCount >= 2 * reportedDropped else { return nil }
        reportedDropped = droppedCount
        return droppedCount
    }

    /// The next sighting to resolve, which becomes `resolving`; nil if none waits or no resolver is
    /// free.
    package mutating func next() -> Key? {
        while resolvingCount < DiscoveryLimits.resolvers, let key = queue.pop() {
            // A sighting that vanished in the meantime is still in the queue and is skipped.
            guard case .queued(let attempt) = statuses[key] else { continue }
            statuses[key] = .resolving(attempt: attempt)
            resolvingCount += 1
            return key
        }
        return nil
    }

    /// The resolver of `key` has answered.
    package mutating func resolved(_ key: Key) {
        guard case .resolving = statuses[key] else { return }
        resolvingCount -= 1
        statuses[key] = .resolved
    }

    /// The resolver of `key` has failed; returns false if there is no further attempt and the
    /// sighting is forgotten.
    package mutating func failed(_ key: Key, at now: Duration) -> Bool {
        guard case .resolving(let attempt) = statuses[key] else { return true }
        resolvingCount -= 1
        guard attempt + 1 < DiscoveryLimits.resolveAttempts else {
            statuses[key] = nil
            return false
        }
        statuses[key] = .backingOff(attempt: attempt + 1)
        backoffs.append(Backoff(until: now + .seconds(1 << (2 * attempt)), key: key))
        return true
    }

    /// The sighting was withdrawn or refused.
    package mutating func vanished(_ key: Key) {
        switch statuses.removeValue(forKey: key) {
        case .resolving: resolvingCount -= 1
        case .backingOff: backoffs.removeAll { $0.key == key }
        case .queued, .resolved, nil: break
        }
    }

    /// Forgets all sightings; keeps the count of dropped sightings.
    package mutating func removeAll() {
        statuses = [:]
        queue = Queue()
        backoffs = []
        resolvingCount = 0
    }

    /// The time at which `woke` must be called, or nil.
    package var wakeAt: Duration? { backoffs.lazy.map(\.until).min() }

    /// The time `wakeAt` has probably come.
    package mutating func woke(at now: Duration) {
        let due = backoffs.filter { $0.until <= now }
        guard !due.isEmpty else { return }
        backoffs.removeAll { $0.until <= now }
        for backoff in due {
            guard case .backingOff(let attempt) = statuses[backoff.key] else { continue }
            enqueue(backoff.key, attempt: attempt)
        }
    }

    private mutating func enqueue(_ key: Key, attempt: Int) {
        statuses[key] = .queued(attempt: attempt)
        queue.push(key)
        // Services that come and go leave stale entries in the queue, which must not accumulate.
        if queue.count > 2 * DiscoveryLimits.services { dropLeftovers() }
    }

    private mutating func dropLeftovers() {
        var seen: Set<Key> = []
        let isCurrent = { (key: Key) -> Bool in
            guard case .queued = statuses[key] else { return false }
            return seen.insert(key).inserted
        }
        queue = Queue(queue.items.filter(isCurrent))
    }

    /// A first-in, first-out queue with amortised constant time.
    private struct Queue: Sendable {
        private var storage: [Key]
        private var head = 0

        init(_ items: [Key] = []) { storage = items }

        var count: Int { storage.count - head }
        var items: ArraySlice<Key> { storage[head...] }

        mutating func push(_ key: Key) { storage.append(key) }

        mutating func pop() -> Key? {
            guard head < storage.count else { return nil }
            if head > 1_024, head * 2 > storage.count {
                storage.removeFirst(head)
                head = 0
            }
            defer { head += 1 }
            return storage[head]
        }
    }
}
