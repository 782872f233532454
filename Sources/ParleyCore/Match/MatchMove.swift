/// A message of a turn game as the next one is judged by it.
package struct MatchMove: Sendable, Equatable {
    /// The head of the message; after a restart without its context.
    package let head: Head
    package let author: ParticipantID
    package let state: MatchState
    /// The hash of URL and state.
    package let hash: Bytes32
    /// When this node stored the message, if it came at once; nil if it was on the way for longer.
    package let storedAt: Moment?

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
    /// The head of the message; after a restart without its context.
    package let head: Head
    package let author: ParticipantID
    package let fault: MatchFault
    /// The message before, by which it was judged; nil if that was not here.
    package let base: Dot?
    /// The message, to judge it again when an addition arrives; nil after a restart.
    package let move: MatchMove?
}
