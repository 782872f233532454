/// Decides which of two links to one device stays.
extension LinkList {
    /// A process with the key of a device, as its hello names it.
    package struct Process: Sendable {
        package let device: DeviceID
        package let nonce: UInt64

        package init(device: DeviceID, nonce: UInt64) {
            self.device = device
            self.nonce = nonce
        }
    }

    /// The members' links to a process, in the order in which they were opened, but with `newcomer`
    /// last.
    private func members(of peer: Process, newcomer: Int? = nil) -> [Int] {
        let members = indices.filter {
            self[$0].device == peer.device && self[$0].isMember
                && (self[$0].hello?.processNonce ?? 0) == peer.nonce
        }
        return members.filter { $0 != newcomer } + members.filter { $0 == newcomer }
    }

    /// The process at the other end of a link.
    private func process(of index: Int) -> Process {
        Process(device: self[index].device, nonce: self[index].hello?.processNonce ?? 0)
    }

    /// The link at `index` has become a member's: resolves duplicates of links to its device.
    package mutating func becameMember(
        _ index: Int,
        into step: inout Step,
        random: inout some RandomNumberGenerator
    ) {
        let nonce = self[index].hello?.processNonce
        for older in indices
        where self[older].device == self[index].device && self[older].isMember
            && self[older].hello?.processNonce != nonce && self[older].duplicate == nil
        {
            ask(older, about: .otherProcess, rival: index, at: step.now, random: &random)
        }
        settleDuplicates(of: process(of: index), newcomer: index, into: &step, random: &random)
    }

    /// The peer answered a ping, which also decides a duplicate check of its link.
    package mutating func pongReceived(
        on index: Int,
        into step: inout Step,
        random: inout some RandomNumberGenerator
    ) {
        self[index].liveness.pongReceived()
        guard let check = self[index].duplicate else { return }
        self[index].duplicate = nil
        let rival = self.index(of: check.rival)
        switch check.matter {
        case .sameProcess:
            if let rival { self[rival].close(saying: .duplicate, into: &step) }
            settleDuplicates(of: process(of: index), into: &step, random: &random)
        case .otherProcess:
            guard let rival else { return }
            step.deliver(
                .duplicateIdentity(device: self[rival].device, address: self[rival].address)
            )
        }
    }

    /// Closes the older link, which did not answer in time, if a newer link is still there.
    mutating func duplicateUnanswered(
        _ check: DuplicateCheck,
        on index: Int,
        into step: inout Step,
        random: inout some RandomNumberGenerator
    ) {
        self[index].duplicate = nil
        let peer = process(of: index)
        let hasOther = check.matter == .sameProcess && members(of: peer).count > 1
        guard hasOther || self.index(of: check.rival) != nil else { return }
        self[index].close(saying: .duplicate, into: &step)
        settleDuplicates(of: peer, into: &step, random: &random)
    }

    /// Closes duplicate links to a process; two stay while the older one is being asked.
    ///
    /// Only the side with the higher device ID and process nonce acts, so that the sides never
    /// close one link each.
    private mutating func settleDuplicates(
        of peer: Process,
        newcomer: Int? = nil,
        into step: inout Step,
        random: inout some RandomNumberGenerator
    ) {
        guard (own.device, own.nonce) > (peer.device, peer.nonce) else { return }
        while true {
            let rivals = members(of: peer, newcomer: newcomer)
            let others = rivals.filter { self[$0].duplicate?.matter != .sameProcess }
            guard let older = others.first, let newer = others.last, older != newer else { return }
            let isEstablished = self[older].openedAt + DuplicateCheck.established <= step.now
            if self[older].liveness.isSuspect {
                // The older link does not answer, so it is the one to close.
                self[older].close(saying: .duplicate, into: &step)
            } else if others.count == rivals.count, isEstablished {
                ask(older, about: .sameProcess, rival: newer, at: step.now, random: &random)
            } else {
                // The older link carries the feeds already, so it stays.
                self[newer].close(saying: .duplicate, into: &step)
            }
        }
    }

    /// Pings a link, so that its answer decides.
    private mutating func ask(
        _ index: Int,
        about matter: DuplicateCheck.Matter,
        rival: Int,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        self[index].duplicate = DuplicateCheck(
            matter: matter,
            rival: self[rival].id,
            deadline: now + DuplicateCheck.patience
        )
        self[index].ping(random.next(), at: now)
    }
}
