/// Ends links.
extension LinkTable {
    /// Says goodbye to a peer that broke the protocol, and reports the reason.
    package mutating func refuse(_ refusal: Refusal, on index: Int, into step: inout Step) {
        step.deliver(
            .refused(
                link: self[index].id,
                device: self[index].device,
                address: self[index].address,
                refusal
            )
        )
        if self[index].isMember { refused.insert(self[index].device, at: step.now) }
        self[index].close(saying: refusal.goodbye, text: refusal.sentence, into: &step)
    }

    /// The connection was lost.
    package mutating func lost(_ link: LinkID, _ reason: String, into step: inout Step) {
        guard let index = index(of: link) else { return }
        self[index].lost(reason, into: &step)
    }

    /// Ends links to peers that keep asking and do not read the answers.
    package mutating func endOverflowing(into step: inout Step) {
        for index in indices
        where self[index].phase != .closing && self[index].outbox.pending > Outbox.bytesMax {
            refuse(
                .overLimit("more is on its way to the peer than it takes"),
                on: index,
                into: &step
            )
        }
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

    /// The node stops: all links end, and no more are opened.
    package mutating func stop(into step: inout Step) {
        isStopping = true
        for index in indices { self[index].close(saying: .stopping, into: &step) }
    }

    /// Removes the ended links, and keeps their last bytes as farewells.
    package mutating func removeClosing(into step: inout Step) -> [Link] {
        for index in indices where self[index].phase == .closing {
            figures.sent(self[index].outbox.takeFramesAppended())
            for bytes in self[index].outbox.take() {
                step.farewells.append(LinkSend(link: self[index].id, bytes: bytes))
            }
            carryOut(pairings.linkClosed(self[index].id), into: &step)
        }
        offerPairing(into: &step)
        return removeClosing()
    }

    /// How a link ended, for the next dial; the peer of a spare link goes into the passive view.
    package mutating func loss(of ended: Link, at now: Moment) -> Dialer.Loss {
        if let pause = refused.pause(of: ended.device, at: now) { return .refused(until: pause) }
        if ended.cause?.reason == .busy { return .turnedAway(need(of: ended)) }
        guard !noteLetGo(ended, at: now), !ended.replications.isEmpty,
            ended.openedAt + Self.shortest <= now
        else { return .other }
        return .member
    }

    /// A member whose link lasted less is not dialled again at once.
    private static var shortest: Interval { .seconds(1) }

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
