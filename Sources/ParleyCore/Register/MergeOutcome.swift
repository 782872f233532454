/// What merging one head did to a session.
package struct MergeOutcome: Sendable, Equatable {
    /// How the heads changed; nil if they are what they were, and nothing is to be stored or told.
    package let change: RegisterChange?
    /// The lowest head, which went because there were too many; it may be the merged one, and then
    /// nothing changed.
    package let dropped: Head?
    /// A head with the dot of the merged one and other bytes.
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

    /// The head was there already, or one of the others dominates it.
    package static let unchanged = MergeOutcome()
}

/// How the heads of a session changed.
package struct RegisterChange: Sendable, Equatable {
    /// The heads that the merged one dominates, highest first.
    package let replaced: [Head]
    /// Whether the merged one is a head; false if it is dominated itself and yet dominated others,
    /// which takes a lying author.
    package let isKept: Bool
    /// What was shown before; nil if there was nothing.
    package let previousShown: Head?
    /// Whether the merged head is shown, so that the shown message is another one than before.
    package let isShown: Bool
    package let headsBefore: Int
    package let headsAfter: Int

    package init(
        replaced: [Head],
        isKept: Bool,
        previousShown: Head?,
        isShown: Bool,
        headsBefore: Int,
        headsAfter: Int
    ) {
        self.replaced = replaced
        self.isKept = isKept
        self.previousShown = previousShown
        self.isShown = isShown
        self.headsBefore = headsBefore
        self.headsAfter = headsAfter
    }

    /// Whether there is a conflict since this change.
    package var startsConflict: Bool { headsBefore < 2 && headsAfter > 1 }

    /// Whether there was a conflict until this change.
    package var settlesConflict: Bool { headsBefore > 1 && headsAfter < 2 }
}

/// Two envelopes under one dot: a broken or cloned writer; the higher one dominates the lower.
package struct Equivocation: Sendable, Equatable {
    package let dot: Dot
    /// The digest of the one that is higher in the order.
    package let higher: Bytes32
    package let lower: Bytes32

    package init(dot: Dot, higher: Bytes32, lower: Bytes32) {
        self.dot = dot
        self.higher = higher
        self.lower = lower
    }
}
