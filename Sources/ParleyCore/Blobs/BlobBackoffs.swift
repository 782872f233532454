/// Blobs that back off, ascending by the ends of their back-offs.
///
/// Nearly all back-offs are equally long, so a new one is inserted at the end or near it.
struct BlobBackoffs: Sendable {
    private var entries: [(blob: BlobID, end: Moment)] = []
    /// The index of the first entry that was not removed.
    private var start = 0

    var count: Int { entries.count - start }

    var first: (blob: BlobID, end: Moment)? { start < entries.count ? entries[start] : nil }

    /// The end of the first back-off for which `isSo` holds.
    func first(where isSo: (BlobID, Moment) -> Bool) -> Moment? {
        entries[start...].first { isSo($0.blob, $0.end) }?.end
    }

    mutating func insert(_ blob: BlobID, until end: Moment) {
        let index = entries[start...].partitioningIndex { $0.end > end }
        entries.insert((blob, end), at: index)
    }

    mutating func removeFirst() {
        start += 1
        guard start > 32, start * 2 > entries.count else { return }
        entries.removeFirst(start)
        start = 0
    }

    /// The blobs that back off and for which `isSo` holds, in the order of the ends.
    func blobs(where isSo: (BlobID, Moment) -> Bool) -> [BlobID] {
        entries[start...].filter { isSo($0.blob, $0.end) }.map(\.blob)
    }

    mutating func removeAll(where isSo: (BlobID, Moment) -> Bool) {
        entries.removeFirst(start)
        start = 0
        entries.removeAll { isSo($0.blob, $0.end) }
    }
}
