/// Moves of sessions to feed positions that are not on disk yet.
///
/// A crash sets a moved session back to its earlier position. A peer with a cursor above that
/// position would then miss the session. Until the move is on disk, the positions from the earlier
/// to the latest are therefore a gap, and withheld from peers that were not sent the earlier one.
package struct PendingMoves: Sendable {
    private struct Move: Sendable {
        let gap: Range<UInt64>
        let ticket: Ticket
    }

    /// The moves, oldest first.
    private var moves: [Move] = []
    /// The highest position on disk from which a session moved.
    private var highest: UInt64 = 0

    package init() {}

    /// The number of moves that are not on disk: one for each change of a known session.
    package var count: Int { moves.count }

    /// A session moved to another position, which is on disk once `ticket` is.
    package mutating func moved(from: UInt64, to position: UInt64, until ticket: Ticket) {
        moves.append(Move(gap: from..<position, ticket: ticket))
        highest = max(highest, from)
    }

    /// Everything up to `ticket` is on disk.
    package mutating func committed(_ ticket: Ticket) {
        guard let first = moves.first, first.ticket <= ticket else { return }
        moves.removeFirst(moves.prefix { $0.ticket <= ticket }.count)
        highest = moves.reduce(0) { max($0, $1.gap.lowerBound) }
    }

    /// Whether a move to `position` is not on disk yet.
    package func isUnderWay(to position: UInt64) -> Bool {
        // Binary search: the ends of the moves ascend.
        var low = 0
        var high = moves.count
        while low < high {
            let middle = low + (high - low) / 2
            if moves[middle].gap.upperBound < position { low = middle + 1 } else { high = middle }
        }
        return low < moves.count && moves[low].gap.upperBound == position
    }

    /// The positions to withhold from a peer to which `claimed` was sent last.
    package func gaps(after claimed: UInt64) -> FeedGaps {
        guard highest > claimed else { return FeedGaps() }
        return FeedGaps(moves.lazy.map(\.gap).filter { $0.lowerBound > claimed })
    }
}

/// A position in a feed, and the claim to send with its entry: the position, or 0 in a gap.
package struct FeedPlace: Sendable {
    package let position: UInt64
    package let claim: UInt64

    /// The place of the entry at `position`, given all gaps.
    package init(_ position: UInt64, outside gaps: FeedGaps) {
        self.position = position
        claim = gaps.contains(position) ? 0 : position
    }
}

/// Ranges of feed positions, ascending and disjoint.
package struct FeedGaps: Sendable, Equatable {
    package private(set) var ranges: [Range<UInt64>] = []

    /// The union of `gaps`, which may overlap and whose ends ascend.
    package init(_ gaps: some Sequence<Range<UInt64>> = []) {
        for gap in gaps {
            var start = gap.lowerBound
            while let last = ranges.last, last.upperBound >= start {
                start = min(start, last.lowerBound)
                ranges.removeLast()
            }
            ranges.append(start..<gap.upperBound)
        }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    package func contains(_ position: UInt64) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = low + (high - low) / 2
            if ranges[middle].upperBound <= position { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(position)
    }
}
