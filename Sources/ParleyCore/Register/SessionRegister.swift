/// The replicated value of one session: the envelopes that no other known one dominates.
///
/// The heads are the whole state. What their authors had seen is computed from them and never kept
/// on its own, so that nodes converge whatever a writer claims.
package struct SessionRegister: Sendable, Equatable {
    /// Highest in the order first; none dominates another; at most `Limits.heads`.
    package private(set) var heads: [Head] = []

    package init() {}

    /// The register that has these heads, which need not be in order, as they were stored.
    package init(_ heads: some Sequence<Head>, headsMax: Int = Limits.heads) {
        for head in heads.sorted() {
            _ = merge(head, headsMax: headsMax)
        }
    }

    /// An envelope of the session became known.
    ///
    /// Afterwards the heads are those of the old ones and `head` that none of them dominates, the
    /// highest `headsMax` of them.
    package mutating func merge(_ head: Head, headsMax: Int = Limits.heads) -> MergeOutcome {
        var higherCount = 0
        var replacedCount = 0
        var isDominated = false
        var equivocation: Equivocation?
        for known in heads {
            if known.dot == head.dot {
                if known.digest == head.digest { return .unchanged }
                equivocation = Equivocation(known, head)
            }
            if known > head {
                higherCount += 1
                isDominated = isDominated || known.hasInContext(head.dot)
            } else if head.dominates(known) {
                replacedCount += 1
            }
        }
        if replacedCount == 0 {
            if isDominated { return MergeOutcome(equivocation: equivocation) }
            if higherCount >= headsMax { return MergeOutcome(dropped: head) }
        }
        let before = heads
        let replaced = replace(
            replacedCount,
            belowFirst: higherCount,
            by: head,
            isKept: !isDominated
        )
        let dropped = heads.count > headsMax ? heads.popLast() : nil
        let change = RegisterChange(
            replaced: replaced,
            isKept: !isDominated,
            previousShown: before.first,
            isShown: higherCount == 0,
            headsBefore: before.count,
            headsAfter: heads.count
        )
        return MergeOutcome(change: change, dropped: dropped, equivocation: equivocation)
    }

    /// The head that every node shows; nil before the first.
    package var shown: Head? { heads.first }

    /// Whether there are messages that nobody has replaced beside the shown one.
    package var isConflict: Bool { heads.count > 1 }

    /// Removes the `count` heads that `head` dominates, all of them after the first `higherCount`,
    /// puts `head` into its place if it is kept, and returns what was removed.
    private mutating func replace(
        _ count: Int,
        belowFirst higherCount: Int,
        by head: Head,
        isKept: Bool
    ) -> [Head] {
        // Then nothing is above `head` that could dominate it: the usual case, one allocation.
        if count == heads.count {
            let replaced = heads
            heads = [head]
            return replaced
        }
        var replaced: [Head] = []
        if count > 0 {
            replaced.reserveCapacity(count)
            heads.removeAll { known in
                guard head.dominates(known) else { return false }
                replaced.append(known)
                return true
            }
        }
        if isKept {
            heads.insert(head, at: higherCount)
        }
        return replaced
    }
}

extension Equivocation {
    /// Of two heads with the same dot and different digests.
    fileprivate init(_ one: Head, _ other: Head) {
        self.init(
            dot: one.dot,
            higher: max(one, other).digest,
            lower: min(one, other).digest
        )
    }
}
