package import ParleyCore

/// Something that must become true, in time.
package struct PlanExpectation: Sendable, Equatable {
    package var matter: PlanMatter
    /// How long it may take, from the end of the step before.
    package var limit: Interval
    /// The conversation it is about.
    package var conversation: Int
    /// Where it must be seen; nil: at all who can read the conversation and whose nodes run.
    package var hosts: [HostID]?
}

/// What must become true.
package enum PlanMatter: Sendable, Equatable {
    /// A session shows this message; with its picture, if that is asked for.
    case shown(session: String, url: String, withPicture: Bool)
    /// All show the same, so many messages if a number is given.
    case same(messages: Int?)
    /// One session of the conversation is in conflict, with so many heads, the same at all.
    case conflict(session: String, heads: Int)
    /// No session of the conversation is in conflict.
    case noConflict
    /// Of each session at most so many envelopes came since they were counted or it started.
    case received(by: HostID, atMost: Int)
    /// All who can reach one another have links that answer.
    case linked([HostID])
    /// No link between any of these answers.
    case unlinked([HostID])
    /// No link between these was closed since they were counted.
    case unbroken([HostID])
    /// Every message that a node acknowledged is shown, replaced, or kept in a conflict.
    case nothingLost
    /// A node without an invite was turned away, learned nothing and left nothing.
    case stranger(HostID)
    /// These ended each link of those who intruded there.
    case turnedAway([HostID])
    /// A host says on its own that two processes share its device.
    case duplicate([HostID])
}
