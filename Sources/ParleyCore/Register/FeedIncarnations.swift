/// The incarnations of one conversation's feed, each with the positions that one process assigned.
package struct FeedIncarnations: Sendable, Equatable {
    /// Older incarnations are forgotten; a peer with a cursor of one of them starts over.
    package static let countMax = 64

    /// The incarnations in the order in which they started, the present one last.
    package private(set) var incarnations: [FeedIncarnation] = []

    /// The incarnations of a data directory, in the order in which they started.
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

    /// The position after which a reader continues that has everything up to `cursor`.
    ///
    /// It is the cursor's position, but at most the end of its incarnation here, and 0 if the
    /// incarnation is unknown. So a store that was set back repeats changes, and never skips one.
    /// `latest` is the end of the present incarnation.
    package func resume(from cursor: FeedCursor, latest: UInt64) -> UInt64 {
        guard let index = incarnations.firstIndex(where: { $0.id == cursor.incarnation }) else {
            return 0
        }
        let end = index + 1 < incarnations.count ? incarnations[index + 1].start : latest
        return min(cursor.position, end)
    }
}
