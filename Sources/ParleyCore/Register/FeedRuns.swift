/// The runs of one conversation's feed, each with the positions that one process gave.
package struct FeedRuns: Sendable, Equatable {
    /// Older runs are forgotten; whoever comes back from one of them starts over.
    package static let countMax = 64

    /// In the order in which they started, the present one last.
    package private(set) var runs: [FeedRun] = []

    /// The runs of a data directory, in the order in which they started.
    package init(_ runs: [FeedRun] = []) {
        self.runs = Array(runs.suffix(Self.countMax))
    }

    /// A process starts numbering changes; `run.start` is the latest position before it.
    package mutating func start(_ run: FeedRun) {
        runs.append(run)
        if runs.count > Self.countMax { runs.removeFirst() }
    }

    /// The run that numbers changes now.
    package var present: FeedRun? { runs.last }

    /// The position after which a reader goes on that has everything up to `cursor`.
    ///
    /// That is the cursor's position, but at most the end of its run here, and 0 if the run is
    /// unknown. So a store that was set back repeats changes, and never skips one. `latest` is the
    /// end of the present run.
    package func resume(from cursor: FeedCursor, latest: UInt64) -> UInt64 {
        guard let index = runs.firstIndex(where: { $0.id == cursor.run }) else { return 0 }
        let end = index + 1 < runs.count ? runs[index + 1].start : latest
        return min(cursor.position, end)
    }
}
