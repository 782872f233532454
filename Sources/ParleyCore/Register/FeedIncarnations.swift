/// The incarnations of one conversation's feed, oldest first.
package struct FeedIncarnations: Sendable, Equatable {
    /// The limit; a peer with a cursor of a forgotten incarnation starts over.
    package static let countMax = 64

    /// Oldest first; the present incarnation comes last.
    package private(set) var incarnations: [FeedIncarnation] = []

    /// Keeps the latest incarnations of a data directory, given oldest first.
    package init(_ incarnations: [FeedIncarnation] = []) {
        self.incarnations = Array(incarnations.suffix(Self.countMax))
    }

    /// A process starts numbering changes; `incarnation.start` is the latest position before it.
    package mutating func start(_ incarnation: FeedIncarnation) {
        incarnations.append(incarnation)
        if incarnations.count > Self.countMax { incarnations.removeFirst() }
    }

    /// The incarnation that numbers changes now.
    package var present: FeedIncarnation? { incarnations.last }

    /// The position from which a reader with everything up to `cursor` continues.
    ///
    /// The position of the cursor counts at most up to the end of its incarnation here, and an
    /// unknown incarnation counts as 0. A store that was set back thus repeats changes, and never
    /// skips any. `latest` is the end of the present incarnation.
    package func resume(from cursor: FeedCursor, latest: UInt64) -> UInt64 {
        guard let index = incarnations.firstIndex(where: { $0.id == cursor.incarnation }) else {
            return 0
        }
        let end = index + 1 < incarnations.count ? incarnations[index + 1].start : latest
        return min(cursor.position, end)
    }
}
