import ParleyCore

/// A queue of events by time; events of equal time keep the order in which they were added.
///
/// It is a binary heap of small entries; the events themselves stay in their slots.
struct EventQueue<Event> {
    private struct Entry {
        let time: Moment
        let number: UInt64
        let slot: Int

        func isBefore(_ other: Entry) -> Bool {
            time == other.time ? number < other.number : time < other.time
        }
    }

    private var heap: [Entry] = []
    private var slots: [Event?] = []
    private var freeSlots: [Int] = []
    private var numbers: UInt64 = 0

    var nextTime: Moment? { heap.first?.time }

    mutating func add(_ event: Event, at time: Moment) {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            slots[slot] = event
        } else {
            slot = slots.count
            slots.append(event)
        }
        numbers += 1
        let entry = Entry(time: time, number: numbers, slot: slot)
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry.isBefore(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }

    mutating func next() -> (time: Moment, event: Event)? {
        guard let first = heap.first, let event = slots[first.slot].take() else { return nil }
        freeSlots.append(first.slot)
        let last = heap.removeLast()
        if !heap.isEmpty { sink(last) }
        return (first.time, event)
    }

    /// Replaces the first entry and restores the order of the heap.
    private mutating func sink(_ entry: Entry) {
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(entry) else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = entry
    }
}
