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
        let closing = all.removeClosing()
        if !closing.isEmpty { mesh.membersChanged() }
        return closing
    }

    /// How a link ended, for the next dial; the peer of a spare link goes into the passive view.
    package mutating func loss(of ended: Link, at now: Moment) -> Dialer.Loss {
        if let pause = refused.pause(of: ended.device, at: now) { return .refused(until: pause) }
        if ended.cause?.reason == .busy {
            return .turnedAway(BusyWait.Need(of: ended, besides: all))
        }
        guard !noteLetGo(ended, at: now), !ended.replications.isEmpty,
            ended.openedAt + Self.shortest <= now
        else { return .other }
        return .member
    }

    /// A member whose link lasted less is not dialled again at once.
    private static var shortest: Interval { .seconds(1) }
}
