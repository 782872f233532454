/// A priority queue of keys by time, the earliest first.
struct DueHeap<Key> {
    private var entries: [(time: ProxyTime, key: Key)] = []

    var earliest: ProxyTime { entries.first?.time ?? .never }

    mutating func insert(_ key: Key, at time: ProxyTime) {
        entries.append((time, key))
        var index = entries.count - 1
        while index > 0, entries[index].time < entries[(index - 1) / 2].time {
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
            where child < entries.count && entries[child].time < entries[least].time {
                least = child
            }
            guard least != index else { return first }
            entries.swapAt(index, least)
            index = least
        }
    }
}
