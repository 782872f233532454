/// A priority queue of keys by time, the earliest first, and of one time in the order of insertion.
struct DueHeap<Key> {
    private var entries: [(time: ProxyTime, number: UInt64, key: Key)] = []
    private var count: UInt64 = 0

    var earliest: ProxyTime { entries.first?.time ?? .never }

    mutating func insert(_ key: Key, at time: ProxyTime) {
        entries.append((time, count, key))
        count += 1
        var index = entries.count - 1
        while index > 0, precedes(index, (index - 1) / 2) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes the earliest one if it is due.
    mutating func next(upTo now: ProxyTime) -> (time: ProxyTime, key: Key)? {
        guard let first = entries.first, first.time <= now else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < entries.count && precedes(child, least) {
                least = child
            }
            guard least != index else { return (first.time, first.key) }
            entries.swapAt(index, least)
            index = least
        }
    }

    private func precedes(_ one: Int, _ other: Int) -> Bool {
        (entries[one].time, entries[one].number) < (entries[other].time, entries[other].number)
    }
}
