import ParleyCore

/// The feed of a conversation, with the positions at which sessions were handed to the store.
struct IssuedFeed {
    /// The entries, ascending by position; a session that changed again has several.
    private var entries: [(position: UInt64, tag: SessionTag)] = []

    init() {}

    init(_ rows: [SessionTag: Ledger.Row]) {
        entries = rows.map { ($0.value.position, $0.key) }.sorted { $0 < $1 }
    }

    mutating func add(_ tag: SessionTag, at position: UInt64) {
        entries.insert((position, tag), at: firstIndex(after: position))
    }

    /// The entries after the position `start`, up to `end`.
    func entries(
        after start: UInt64,
        upTo end: UInt64
    ) -> ArraySlice<(position: UInt64, tag: SessionTag)> {
        let first = firstIndex(after: start)
        return entries[first..<max(first, firstIndex(after: end))]
    }

    private func firstIndex(after position: UInt64) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].position <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
