/// Carries pairings over links: to members and to strangers alike.
extension LinkTable {
    /// A person wants to pair, confirms, or ends a pairing.
    package mutating func pair(
        _ request: PairingRequest,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator,
        into step: inout Step
    ) {
        switch request {
        case .start(let hint, let offer):
            let nonce = Bytes32(random.next(), random.next(), random.next(), random.next())
            carryOut(
                pairings.start(hint, nonce: nonce, offer: offer, at: step.now, using: crypto),
                into: &step
            )
            offerPairing(into: &step)
        case .confirm(let hint):
            carryOut(pairings.confirm(hint, at: step.now), into: &step)
        case .cancel(let hint):
            carryOut(pairings.cancel(hint), into: &step)
        case .share(let device, let frame):
            guard let index = pairableLink(to: device.hint), self[index].device == device,
                self[index].hello.map({ $0.features & Hello.persons != 0 }) == true
            else { return }
            self[index].outbox.append(.pairing(frame))
        }
    }

    /// Begins the pairing that waits for a link, if there is one now.
    mutating func offerPairing(into step: inout Step) {
        guard let hint = pairings.hintWithoutLink, let index = pairableLink(to: hint) else {
            return
        }
        let answer = pairings.linked(
            self[index].id,
            to: self[index].device,
            features: self[index].hello?.features ?? 0,
            at: step.now
        )
        carryOut(answer, into: &step)
    }

    /// A frame of pairing arrived.
    mutating func pairingReceived(
        _ frame: PairingFrame,
        on index: Int,
        using crypto: some Cryptography,
        into step: inout Step
    ) throws(Refusal) {
        switch frame {
        case .share, .taken: return step.deliver(.shared(frame, by: self[index].device))
        default: break
        }
        let answer = pairings.received(
            frame,
            from: self[index].device,
            on: self[index].id,
            at: step.now,
            using: crypto
        )
        carryOut(answer, into: &step)
        if let refusal = answer.refusal { throw refusal }
    }

    mutating func endOverduePairings(into step: inout Step) {
        guard let deadline = pairings.deadline, deadline <= step.now else { return }
        carryOut(pairings.meetDeadlines(at: step.now), into: &step)
    }

    mutating func carryOut(_ answer: PairingTable.Answer, into step: inout Step) {
        for send in answer.sends {
            guard let index = all.index(of: send.link) else { continue }
            self[index].outbox.append(.pairing(send.frame))
        }
        for notice in answer.notices { step.deliver(.pairing(notice)) }
    }

    /// A link to a device on which both sides have said hello.
    ///
    /// Both sides prefer the link that the higher device ID has opened, so that both use the same.
    private func pairableLink(to hint: UInt64) -> Int? {
        let links = indices.filter { self[$0].device.hint == hint && self[$0].phase.mayShare }
        return links.first { self[$0].isInitiator == (all.own.device > self[$0].device) }
            ?? links.first
    }
}
