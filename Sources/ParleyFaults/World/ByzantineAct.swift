/// What a liar does: somebody with a writer's invite and software of his own.
package enum ByzantineAct: Int, CaseIterable, Sendable {
    /// Two envelopes under one dot, one to some, the other to the others.
    case equivocate
    /// Claims to have seen what nobody wrote yet.
    case falseContext
    /// A revision close to the end of all revisions.
    case revisionJump
    /// Claims to have seen everything, at a revision that is too low for it.
    case lowRevision
    /// Names itself as next, and answers whatever names others.
    case outOfTurn
    /// An envelope whose body belongs to another session, or does not open.
    case unreadable
    /// A sequence below those that it used.
    case sequenceBack
    /// Ends a session that it has not seen.
    case blindTombstone
    /// An envelope with a proof that does not lead to it.
    case badProof
    /// An origin that nobody certified.
    case uncertified
    /// Sends again what it heard, in any order, as if it were new.
    case replay
    /// As a later version would: more items in a header, frames that nobody knows.
    case newerVersion
    /// Tells of envelopes that do not exist.
    case falseHave
    /// Bytes that are no frame.
    case garbage
}
