extension Head: Comparable {
    /// The order of a session's envelopes on every node: by revision, tie-break, then digest.
    package static func < (left: Head, right: Head) -> Bool {
        if left.revision != right.revision { return left.revision < right.revision }
        if left.tieBreak != right.tieBreak { return left.tieBreak < right.tieBreak }
        return left.digest < right.digest
    }
}

extension Head {
    /// Whether this head is higher in the order than `other`, and has `other` in its context.
    ///
    /// Among heads of a Byzantine writer, the relation need not be transitive.
    package func dominates(_ other: Head) -> Bool {
        self > other && hasInContext(other.dot)
    }

    /// Whether `other` is this dot, an earlier dot of its origin, or included in the context.
    package func hasInContext(_ other: Dot) -> Bool {
        if other.origin == dot.origin { return other.sequence <= dot.sequence }
        var low = 0
        var high = context.count
        while low < high {
            let middle = low + (high - low) / 2
            if context[middle].origin < other.origin {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < context.count && context[low].origin == other.origin
            && context[low].sequence >= other.sequence
    }
}
