extension Head: Comparable {
    /// The order of the envelopes of one session, the same everywhere: revision, then a value that
    /// content cannot steer, then the digest.
    package static func < (left: Head, right: Head) -> Bool {
        if left.revision != right.revision { return left.revision < right.revision }
        if left.tieBreak != right.tieBreak { return left.tieBreak < right.tieBreak }
        return left.digest < right.digest
    }
}

extension Head {
    /// Whether this head replaces `other`: it is higher in the order, and its context has `other`.
    ///
    /// Between heads of a Byzantine writer this need not be transitive.
    package func dominates(_ other: Head) -> Bool {
        self > other && hasInContext(other.dot)
    }

    /// Whether the author claims to know `other`: its own dot, an earlier one of its origin, or one
    /// that its context includes.
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
