package import ParleyCore

/// A condition that must become true within a time limit.
package struct PlanExpectation: Sendable, Equatable {
    package var matter: PlanMatter
    /// The time limit, counted from the end of the step before.
    package var limit: Interval
    /// The conversation that the condition is about.
    package var conversation: Int
    /// The hosts at which the condition must hold; nil: all running hosts that can read the
    /// conversation.
    package var hosts: [HostID]?
}

/// A condition.
package enum PlanMatter: Sendable, Equatable {
    /// A session shows this message and, if required, its picture.
    case shown(session: String, url: String, withPicture: Bool)
    /// All hosts show the same messages and, if a number is given, this many.
    case same(messages: Int?)
    /// One session of the conversation is in conflict, with this many heads, equal at all hosts.
    case conflict(session: String, heads: Int)
    /// No session of the conversation is in conflict.
    case noConflict
    /// At most this many envelopes of each session arrived since counting began.
    case received(by: HostID, atMost: Int)
    /// All hosts that can reach one another have live links.
    case linked([HostID])
    /// No link between any of these hosts is live.
    case unlinked([HostID])
    /// No link between these hosts was closed since counting began.
    case unbroken([HostID])
    /// Every acknowledged message is shown, replaced, or kept in a conflict.
    case nothingLost
    /// A node without an invite was turned away, learned nothing and stored nothing anywhere.
    case stranger(HostID)
    /// These hosts ended every link of an intruder.
    case turnedAway([HostID])
    /// A host reports a duplicate of its own identity.
    case duplicate([HostID])
}
