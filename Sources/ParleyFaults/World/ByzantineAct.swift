/// A deviation from the protocol by a member that has a writer's invite and software of its own.
package enum ByzantineAct: Int, CaseIterable, Sendable {
    /// Sends two envelopes under one dot, one to some peers, the other to the rest.
    case equivocate
    /// Claims a context of messages that nobody has written yet.
    case falseContext
    /// Uses a revision close to the largest one.
    case revisionJump
    /// Claims a full context at a revision that is too low for it.
    case lowRevision
    /// Names itself as next and answers messages that name others.
    case outOfTurn
    /// Sends an envelope whose body belongs to another session or cannot be opened.
    case unreadable
    /// Uses a lower sequence than before.
    case sequenceBack
    /// Ends a session with an empty context.
    case blindTombstone
    /// Sends an envelope with an invalid proof.
    case badProof
    /// Introduces an origin without a valid certificate.
    case uncertified
    /// Sends received envelopes again, in any order, as if they were new.
    case replay
    /// Sends headers with additional items and unknown frames, as a later version would.
    case newerVersion
    /// Announces envelopes that do not exist.
    case falseHave
    /// Sends bytes that are no frame.
    case garbage
}
