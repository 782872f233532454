/// The replicated value of one session: all known envelopes that are not dominated by another.
///
/// The heads are the whole state. The context for a new envelope is computed from the heads and
/// never stored, so that nodes converge whatever a writer claims.
///
/// Heads and contexts are dotted version vectors (N. Preguiça, C. Baquero, P. S. Almeida, V. Fonte,
/// R. Gonçalves: "Dotted Version Vectors: Logical Clocks for Optimistic Replication", 2010): the
/// dot names the event of an envelope, and the context is the version vector of its author's
/// knowledge. In that paper a trusted server makes the dots. Here authors make the dots. An
/// envelope therefore dominates only lower envelopes of a total order, and a false context cannot
/// make a cycle.
package struct SessionRegister: Sendable, Equatable {
    /// The heads, highest first, at most `Limits.heads`; no head dominates another.
    package private(set) var heads = Few<Head>()

    package init() {}

    /// The register with these stored heads, in any order.
    package init(_ heads: some Sequence<Head>, headsMax: Int = Limits.heads) {
        for head in heads.sorted() {
            _ = merge(head, headsMax: headsMax)
        }
    }

    /// Merges an envelope of the session.
    ///
    /// Of the old heads and `head`, the undominated stay, at most the highest `headsMax`.
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
        let headsBefore = heads.count
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
            isShown: higherCount == 0,
            headsBefore: headsBefore,
            headsAfter: heads.count
        )
        return MergeOutcome(change: change, dropped: dropped, equivocation: equivocation)
    }

    /// Whether there is one head, and `head` dominates it.
    func isOnlyHeadReplaced(by head: Head) -> Bool {
        guard heads.rest.isEmpty, let old = heads.head else { return false }
        return old.dot != head.dot && head.dominates(old)
    }

    /// Replaces the only head by one that dominates it.
    ///
    /// - Returns: the first word of the digest of the replaced head.
    mutating func replaceOnlyHead(by head: Head) -> UInt64 {
        defer { heads.head = head }
        return heads.head?.digest.words.0 ?? 0
    }

    /// Removes heads that do not count any more.
    mutating func remove(where isOut: (Head) -> Bool) { heads.removeAll(where: isOut) }

    /// The head that every node shows; nil before the first.
    package var shown: Head? { heads.first }

    /// Whether there are heads besides the shown one.
    package var isConflict: Bool { heads.count > 1 }

    /// Removes and returns the `count` heads that `head` dominates, and inserts `head` if it is
    /// kept.
    ///
    /// The dominated heads, and the place of `head`, are behind the first `higherCount` heads.
    private mutating func replace(
        _ count: Int,
        belowFirst higherCount: Int,
        by head: Head,
        isKept: Bool
    ) -> Few<Head> {
        // All heads are replaced, so none can dominate `head`: the usual case, without allocation.
        if count == heads.count {
            let replaced = heads
            heads = Few(only: head)
            return replaced
        }
        var replaced = Few<Head>()
        if count > 0 {
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
    /// The equivocation of two heads with the same dot and different digests.
    fileprivate init(_ one: Head, _ other: Head) {
        self.init(
            dot: one.dot,
            higher: max(one, other).digest,
            lower: min(one, other).digest
        )
    }
}
