/// The blobs of one conversation for which a link is to be asked.
struct BlobFetchQueue: Sendable {
    let conversation: UInt32
    /// In the order in which links are to be asked; those before `start` were taken.
    private var waiting: [BlobID] = []
    private var start = 0
    /// The blobs of the conversation that are fetched, whatever they wait for.
    var count = 0
    /// The links that shared the conversation when somebody looked last.
    private var links: [LinkID] = []

    init(_ conversation: UInt32) { self.conversation = conversation }

    var first: BlobID? { start < waiting.count ? waiting[start] : nil }

    /// Whether the entries that became stale are more than the others.
    var isSparse: Bool { waiting.count - start > 2 * count + 32 }

    mutating func append(_ blob: BlobID) { waiting.append(blob) }

    mutating func removeAll(where isStale: (BlobID) -> Bool) {
        waiting.removeFirst(start)
        start = 0
        waiting.removeAll(where: isStale)
    }

    mutating func prepend(_ blob: BlobID) {
        if start == 0 {
            waiting.insert(blob, at: 0)
        } else {
            start -= 1
            waiting[start] = blob
        }
    }

    mutating func removeFirst() {
        start += 1
        guard start > 32, start * 2 > waiting.count else { return }
        waiting.removeFirst(start)
        start = 0
    }

    /// Notes the links that share the conversation now; whether one is among them that was not.
    mutating func see(_ links: [LinkID]) -> Bool {
        defer { self.links = links }
        return links.contains { !self.links.contains($0) }
    }
}
