/// The queue of one stage of a chain: items in order, each with the time at which it leaves.
struct StageLine: Sendable {
    struct Waiting: Sendable {
        let item: StreamItem
        let arrival: ProxyTime
        let due: ProxyTime
    }

    private let toxic: String
    private var items: [Waiting] = []
    /// The index of the first item that has not left.
    private var first = 0
    private(set) var byteCount = 0
    /// The offset after the last byte that arrived.
    var seen: UInt64 = 0
    /// What the toxic did since the faults were last taken.
    var faults: [ChainFault] = []

    init(of toxic: String) {
        self.toxic = toxic
    }

    var count: Int { items.count - first }
    var isEmpty: Bool { first == items.count }
    var head: Waiting? { isEmpty ? nil : items[first] }

    /// Lets an item that arrives at `arrival` leave at `due`, or after the one before.
    mutating func add(_ item: StreamItem, arrival: ProxyTime, due: ProxyTime) {
        let earliest = isEmpty ? arrival : items[items.count - 1].due
        items.append(Waiting(item: item, arrival: arrival, due: max(due, earliest)))
        byteCount += item.byteCount
    }

    mutating func note(_ act: ChainFault.Act, at offset: UInt64) {
        faults.append(ChainFault(toxic: toxic, offset: offset, act: act))
    }

    mutating func removeFirst() -> Waiting? {
        guard let head else { return nil }
        first += 1
        byteCount -= head.item.byteCount
        if isEmpty {
            items.removeAll(keepingCapacity: items.count <= 64)
            first = 0
        } else if first > 64, first * 2 > items.count {
            items.removeFirst(first)
            first = 0
        }
        return head
    }

    /// Takes all that waits.
    mutating func removeAll() -> [Waiting] {
        let left = Array(items[first...])
        (items, first, byteCount) = ([], 0, 0)
        return left
    }
}
