/// A message of a turn game as the next one is judged by it.
package struct MatchMove: Sendable, Equatable {
    package let head: Head
    package let author: ParticipantID
    package let state: MatchState
    /// The hash of URL and state.
    package let hash: Bytes32
    /// When this node stored the message, if it came at once; nil if it was on the way for longer.
    package let storedAt: Moment?
    /// Whether going on without the message is against the rules for certain.
    ///
    /// Clocks of nodes differ, so that a claim may be too early for one and not for another. A move
    /// that was not checked here may be against the rules elsewhere, with all moves after it.
    package internal(set) var isFirm = false
    /// Whether the message was checked here upon a sound one, or upon one of another author.
    package internal(set) var isSound = true

    package init(
        _ head: Head,
        by author: ParticipantID,
        _ state: MatchState,
        hash: Bytes32,
        storedAt: Moment?
    ) {
        self.head = head
        self.author = author
        self.state = state
        self.hash = hash
        self.storedAt = storedAt
    }

    package var dot: Dot { head.dot }
}

/// A message against the rules, and who wrote it.
package struct MatchViolation: Sendable, Equatable {
    package let head: Head
    package let author: ParticipantID
    package let fault: MatchFault
    /// The message before, by which it was judged; nil if that was not here.
    package let base: Dot?
    /// The message, to judge it again when an addition arrives; nil if it is none of the game.
    package let move: MatchMove?
}
