/// The order and the pace of scrubbing, which reads all complete blobs back and checks them.
///
/// Scrubbing finds damage on the disk while a peer still has the bytes. The first pass begins with
/// the node and is quick; later passes are slow, with a pause before each. At most one blob is
/// being read.
package struct BlobScrub: Sendable {
    /// The blobs left to read in this pass, in descending order.
    private var left: [BlobID] = []
    /// The blob that is being read.
    private var reading: BlobID?
    private var isFirstPass = true
    /// When to read the next blob; nil before the start and during a read.
    package private(set) var due: Moment?

    package init() {}

    /// Makes the first pass due.
    package mutating func start(at now: Moment) {
        due = now
    }

    /// The blob to read now, if a read is due.
    ///
    /// A pass covers the blobs that are in `complete` at its beginning. It skips blobs that were
    /// removed since, and blobs in `unstored`.
    package mutating func next(
        of complete: Set<BlobID>,
        besides unstored: [BlobID],
        at now: Moment,
        limits: Limits
    ) -> BlobID? {
        guard let due, due <= now else { return nil }
        if left.isEmpty { left = complete.sorted(by: >) }
        while let blob = left.popLast() {
            guard complete.contains(blob), !unstored.contains(blob) else { continue }
            reading = blob
            self.due = nil
            return blob
        }
        endPass(at: now, limits)
        return nil
    }

    /// A blob was read back.
    ///
    /// A short blob counts as a full chunk, because every read has a cost of its own.
    package mutating func read(_ blob: BlobID, bytes: Int, at now: Moment, limits: Limits) {
        guard reading == blob else { return }
        reading = nil
        guard !left.isEmpty else { return endPass(at: now, limits) }
        let rate = isFirstPass ? limits.firstScrubBytesPerSecond : limits.scrubBytesPerSecond
        let cost = Int64(max(bytes, Limits.blobChunkBytes)) * 1_000_000_000
        due = now + Interval(nanoseconds: cost / Int64(max(rate, 1)))
    }

    private mutating func endPass(at now: Moment, _ limits: Limits) {
        isFirstPass = false
        due = now + limits.scrubPause
    }
}
