/// The result of merging one head into a session.
package struct MergeOutcome: Sendable, Equatable {
    /// The change of the heads; nil if there is nothing to store or announce.
    package let change: RegisterChange?
    /// The lowest of too many heads, now dropped; nothing changed if it is the merged head.
    package let dropped: Head?
    /// Set if another head had the dot of the merged head.
    package let equivocation: Equivocation?

    package init(
        change: RegisterChange? = nil,
        dropped: Head? = nil,
        equivocation: Equivocation? = nil
    ) {
        self.change = change
        self.dropped = dropped
        self.equivocation = equivocation
    }

    /// The head was known, or another head dominates it.
    package static let unchanged = MergeOutcome()
}

/// How the heads of a session changed.
package struct RegisterChange: Sendable, Equatable {
    /// The heads that the merged head dominates, highest first.
    package let replaced: Few<Head>
    /// False if the merged head replaced others and is dominated itself: a Byzantine writer's work.
    package let isKept: Bool
    /// Whether the merged head is the shown message.
    package let isShown: Bool
    package let headsBefore: Int
    package let headsAfter: Int

    package init(
        replaced: Few<Head>,
        isKept: Bool,
        isShown: Bool,
        headsBefore: Int,
        headsAfter: Int
    ) {
        self.replaced = replaced
        self.isKept = isKept
        self.isShown = isShown
        self.headsBefore = headsBefore
        self.headsAfter = headsAfter
    }

    /// Whether this change started a conflict.
    package var startsConflict: Bool { headsBefore < 2 && headsAfter > 1 }

    /// Whether this change settled a conflict.
    package var settlesConflict: Bool { headsBefore > 1 && headsAfter < 2 }
}

/// Two envelopes under one dot, by a broken or cloned writer; the higher dominates the lower.
package struct Equivocation: Sendable, Equatable {
    package let dot: Dot
    /// The digest of the envelope that is higher in the order.
    package let higher: Bytes32
    package let lower: Bytes32

    package init(dot: Dot, higher: Bytes32, lower: Bytes32) {
        self.dot = dot
        self.higher = higher
        self.lower = lower
    }
}
