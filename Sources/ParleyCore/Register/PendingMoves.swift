/// Sessions that moved in memory and are on disk at an earlier feed position still.
///
/// A crash puts such a session back to where the disk has it. A peer that has confirmed a later
/// position by then would not be sent it again, so what was stepped over is not claimed: positions
/// in a gap are not told to a peer that has not come as far as the gap's beginning.
package struct PendingMoves: Sendable {
    private struct Move: Sendable {
        let gap: Range<UInt64>
        let ticket: Ticket
    }

    /// In the order in which they happened.
    private var moves: [Move] = []
    /// The highest position on disk that a session left.
    private var highest: UInt64 = 0

    package init() {}

    /// Moves that are not on disk: as many as there are changes in the commits under way.
    package var count: Int { moves.count }

    /// A session moved `from` one position `to` another, and is there on disk once `ticket` is.
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

    /// Whether a session that is at `position` now is not there on disk.
    package func isUnderWay(to position: UInt64) -> Bool {
        // Positions ascend, and so do the ends of the moves.
        var low = 0
        var high = moves.count
        while low < high {
            let middle = low + (high - low) / 2
            if moves[middle].gap.upperBound < position { low = middle + 1 } else { high = middle }
        }
        return low < moves.count && moves[low].gap.upperBound == position
    }

    /// The positions that a peer must not be told which was told `claimed` last.
    package func gaps(after claimed: UInt64) -> FeedGaps {
        guard highest > claimed else { return FeedGaps() }
        return FeedGaps(moves.lazy.map(\.gap).filter { $0.lowerBound > claimed })
    }
}

/// Where an entry of a feed is, and the position that is told with it: its own, or 0 in a gap.
package struct FeedPlace: Sendable {
    package let position: UInt64
    package let claim: UInt64

    /// An entry at `position`, which a peer may be told if it is in none of `gaps`.
    package init(_ position: UInt64, outside gaps: FeedGaps) {
        self.position = position
        claim = gaps.contains(position) ? 0 : position
    }
}

/// Ranges of feed positions, ascending and apart from each other.
package struct FeedGaps: Sendable, Equatable {
    package private(set) var ranges: [Range<UInt64>] = []

    /// The positions of all of `gaps`, which may overlap; their ends ascend.
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
