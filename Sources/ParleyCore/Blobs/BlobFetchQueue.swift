/// The blobs of one conversation that wait for a link.
struct BlobFetchQueue: Sendable {
    let conversation: UInt32
    /// In the order of their turns; entries before `start` were taken.
    private var waiting: [BlobID] = []
    private var start = 0
    /// The number of blobs of the conversation that are being fetched, in any state.
    var count = 0
    /// The links of the conversation at the last call of `see`.
    private var links: [LinkID] = []

    init(_ conversation: UInt32) { self.conversation = conversation }

    var first: BlobID? { start < waiting.count ? waiting[start] : nil }

    /// Whether most entries are stale.
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

    /// Notes the links of the conversation, and says whether a new one is among them.
    mutating func see(_ links: [LinkID]) -> Bool {
        defer { self.links = links }
        return links.contains { !self.links.contains($0) }
    }
}
