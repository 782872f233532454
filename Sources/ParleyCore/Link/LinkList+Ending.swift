/// Ends several links, and settles what ended ones leave.
extension LinkList {
    /// The connection was lost.
    package mutating func lost(_ link: LinkID, _ reason: String, into step: inout Step) {
        guard let index = index(of: link) else { return }
        self[index].lost(reason, into: &step)
    }

    /// Ends links with held positions in conversations that have capacity again.
    mutating func startOver(_ conversations: inout ConversationTable, into step: inout Step) {
        let resumed = conversations.takeResumptions()
        if !resumed.isEmpty { closeHeld(into: &step) { resumed.contains($0) } }
    }

    /// Ends links with held positions in conversations that are free, so that feeds start over.
    mutating func closeHeld(into step: inout Step, isFree: (UInt32) -> Bool) {
        for index in indices
        where self[index].replications.contains(where: { $0.isHeld && isFree($0.conversation) }) {
            self[index].close(saying: .other, text: "the store has capacity again", into: &step)
        }
    }

    /// A conversation was left: ends the links on which this node has sent the tag.
    ///
    /// The peer of such a link may not share the conversation yet, but knows the tag under the old
    /// number, and may still join.
    package mutating func left(_ conversation: UInt32, into step: inout Step) {
        for index in indices where self[index].membership.ownNumber(of: conversation) != nil {
            self[index].close(saying: .left, into: &step)
        }
    }

    /// Asks others for the envelopes that an ended link owed, and forgets its unused origins.
    package func forget(
        _ ended: Link,
        in conversations: inout ConversationTable,
        at now: Moment
    ) {
        let other = first(where: { $0.device == ended.device && !$0.liveness.isSuspect })?.id
        for number in ended.conversations {
            guard let index = conversations.index(of: number) else { continue }
            conversations[index].wants.linkClosed(ended.id, other: other, at: now)
        }
        conversations.forget(
            unusedOrigins(introducedBy: ended, isUnused: conversations.isUnused)
        )
    }
}
