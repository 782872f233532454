/// Decides which of two links to one device stays.
extension LinkList {
    /// A step to resolve a duplicate; ask again after it, as there may be more.
    package enum DuplicateStep: Sendable, Equatable {
        /// Ping the link at this index: its answer decides.
        case ask(Int)
        case close(Int)
    }

    /// A process with the key of a device, as its hello names it.
    package struct Process: Sendable {
        package let device: DeviceID
        package let nonce: UInt64

        package init(device: DeviceID, nonce: UInt64) {
            self.device = device
            self.nonce = nonce
        }
    }

    /// Begins to check the members' links to other processes of a newcomer's device.
    ///
    /// - Returns: the indices of the links to ping.
    package mutating func askOtherProcesses(of newcomer: Int, at now: Moment) -> [Int] {
        let nonce = self[newcomer].hello?.processNonce
        let rivals = indices.filter { older in
            self[older].device == self[newcomer].device && self[older].isMember
                && self[older].hello?.processNonce != nonce && self[older].duplicate == nil
        }
        for older in rivals { ask(older, about: .otherProcess, rival: newcomer, at: now) }
        return rivals
    }

    /// The next step towards a single link to a process; both stay while the older is being asked.
    ///
    /// Only the side with the higher device ID and process nonce acts, so that the sides never
    /// close one link each.
    package mutating func settleDuplicates(
        of peer: Process,
        from own: Process,
        newcomer: Int? = nil,
        at now: Moment
    ) -> DuplicateStep? {
        guard (own.device, own.nonce) > (peer.device, peer.nonce) else { return nil }
        let rivals = members(of: peer, newcomer: newcomer)
        let others = rivals.filter { self[$0].duplicate?.matter != .sameProcess }
        guard let older = others.first, let newer = others.last, older != newer else { return nil }
        let isEstablished = self[older].openedAt + DuplicateCheck.established <= now
        if self[older].liveness.isSuspect {
            // The older link does not answer, so it is the one to close.
            return .close(older)
        }
        guard others.count == rivals.count, isEstablished else {
            // The older link carries the feeds already, so it stays.
            return .close(newer)
        }
        ask(older, about: .sameProcess, rival: newer, at: now)
        return .ask(older)
    }

    /// The members' links to a process, in the order in which they were opened, but with `newcomer`
    /// last.
    package func members(of peer: Process, newcomer: Int? = nil) -> [Int] {
        let members = indices.filter {
            self[$0].device == peer.device && self[$0].isMember
                && (self[$0].hello?.processNonce ?? 0) == peer.nonce
        }
        return members.filter { $0 != newcomer } + members.filter { $0 == newcomer }
    }

    /// The process at the other end of a link.
    package func process(of index: Int) -> Process {
        Process(device: self[index].device, nonce: self[index].hello?.processNonce ?? 0)
    }

    /// The link at `index` has become a member's: resolves duplicates of links to its device.
    package mutating func becameMember(
        _ index: Int,
        into step: inout Step,
        random: inout some RandomNumberGenerator
    ) {
        for older in askOtherProcesses(of: index, at: step.now) {
            self[older].ping(random.next(), at: step.now)
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
    private mutating func settleDuplicates(
        of peer: Process,
        newcomer: Int? = nil,
        into step: inout Step,
        random: inout some RandomNumberGenerator
    ) {
        while let next = settleDuplicates(of: peer, from: own, newcomer: newcomer, at: step.now) {
            switch next {
            case .ask(let index): self[index].ping(random.next(), at: step.now)
            case .close(let index): self[index].close(saying: .duplicate, into: &step)
            }
        }
    }

    private mutating func ask(
        _ index: Int,
        about matter: DuplicateCheck.Matter,
        rival: Int,
        at now: Moment
    ) {
        self[index].duplicate = DuplicateCheck(
            matter: matter,
            rival: self[rival].id,
            deadline: now + DuplicateCheck.patience
        )
    }
}
