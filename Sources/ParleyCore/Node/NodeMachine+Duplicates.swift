extension NodeMachine {
    /// The link at `newcomer` has become a member's: there should be no other one to its device.
    mutating func settleDuplicates(with newcomer: Int) {
        let device = links[newcomer].device
        let nonce = links[newcomer].hello?.processNonce
        for older in links.indices
        where links[older].device == device && links[older].isMember
            && links[older].hello?.processNonce != nonce && links[older].duplicate == nil
        {
            ask(older, about: .otherProcess, rival: newcomer)
        }
        settleDuplicates(of: device, nonce: nonce, newcomer: newcomer)
    }

    /// Leaves one link to a process, or two for as long as the older one is being asked.
    ///
    /// Only the side with the higher device ID settles it, so that both never close one each.
    private mutating func settleDuplicates(
        of device: DeviceID,
        nonce: UInt64?,
        newcomer: Int? = nil
    ) {
        guard (self.device, processNonce) > (device, nonce ?? 0) else { return }
        let places = places(of: device, nonce: nonce, newcomer: newcomer)
        let others = places.filter { links[$0].duplicate?.matter != .sameProcess }
        guard let older = others.first, let newer = others.last, older != newer else { return }
        let isEstablished = links[older].openedAt + DuplicateCheck.established <= turn.now
        if links[older].liveness.isSuspect {
            // The newer one is the first that works.
            close(older, saying: .duplicate)
        } else if others.count == places.count, isEstablished {
            ask(older, about: .sameProcess, rival: newer)
        } else {
            // The older one carries the feeds already.
            close(newer, saying: .duplicate)
        }
        settleDuplicates(of: device, nonce: nonce, newcomer: newcomer)
    }

    /// The members' links to a process, in the order in which they were opened, and the one that
    /// became a member's just now behind them.
    private func places(of device: DeviceID, nonce: UInt64?, newcomer: Int? = nil) -> [Int] {
        let places = links.indices.filter {
            links[$0].device == device && links[$0].isMember
                && links[$0].hello?.processNonce == nonce
        }
        return places.filter { $0 != newcomer } + places.filter { $0 == newcomer }
    }

    private mutating func ask(_ index: Int, about matter: DuplicateCheck.Matter, rival: Int) {
        links[index].duplicate = DuplicateCheck(
            matter: matter,
            rival: links[rival].id,
            deadline: turn.now + DuplicateCheck.patience
        )
        ping(index)
    }

    /// The older link answers: it is alive.
    mutating func duplicateAnswered(_ index: Int) {
        guard let check = links[index].duplicate else { return }
        links[index].duplicate = nil
        switch check.matter {
        case .sameProcess:
            if let rival = linkIndex(check.rival) { close(rival, saying: .duplicate) }
            settleDuplicates(of: links[index].device, nonce: links[index].hello?.processNonce)
        case .otherProcess:
            guard let rival = linkIndex(check.rival) else { return }
            turn.effects.deliveries.append(
                .duplicateIdentity(
                    device: links[rival].device,
                    address: links[rival].address
                )
            )
        }
    }

    /// The older link did not answer in time: a newer one replaces it, if one is still there.
    mutating func duplicateUnanswered(_ index: Int) {
        guard let check = links[index].duplicate else { return }
        links[index].duplicate = nil
        let nonce = links[index].hello?.processNonce
        let hasOther =
            check.matter == .sameProcess
            && places(of: links[index].device, nonce: nonce).count > 1
        guard hasOther || linkIndex(check.rival) != nil else { return }
        close(index, saying: .duplicate)
        settleDuplicates(of: links[index].device, nonce: nonce)
    }

    /// Another process has this device's key: from now on it does not share an origin with it.
    mutating func twinFound(_ index: Int, nonce: UInt64) {
        guard !twins.contains(nonce) else { return }
        if twins.count == Self.twinsMax { twins.removeFirst() }
        twins.append(nonce)
        turn.effects.deliveries.append(
            .duplicateIdentity(device: device, address: links[index].address)
        )
        copyFound()
    }

    /// Processes with this device's key that are told apart.
    static var twinsMax: Int { 16 }
}
