/// Checks with pings and deadlines which links work, and resolves duplicates.
extension LinkTable {
    /// The consequence for the dialer when a deadline of a link has passed.
    package enum Overdue: Sendable, Equatable {
        /// The peer at this address shares nothing.
        case sharesNothing(address: String)
        /// The link does not answer: its device should be dialled as well.
        case suspected(DeviceID, isMember: Bool)
    }

    /// Sends a ping with a random number, which the peer has to answer.
    package mutating func ping(
        _ index: Int,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        self[index].ping(random.next(), at: now)
    }

    /// The network changed: pings all peers.
    mutating func pingAll(at now: Moment, random: inout some RandomNumberGenerator) {
        for index in indices { ping(index, at: now, random: &random) }
    }

    /// Pings all members that are due soon, so that the node wakes up once for all.
    private mutating func pingIdle(at now: Moment, random: inout some RandomNumberGenerator) {
        for index in indices
        where self[index].isMember && self[index].liveness.isIdleBeside(at: now) {
            ping(index, at: now, random: &random)
        }
    }

    /// Pings the peer: earlier frames are not acknowledged, and perhaps no answer is due.
    package mutating func unacknowledged(
        _ link: LinkID,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        guard let index = index(of: link), self[index].liveness.receiptIsMissing() else { return }
        ping(index, at: now, random: &random)
    }

    /// Handles the deadlines of a link that have passed.
    package mutating func meetDeadlines(
        of index: Int,
        into step: inout Step,
        random: inout some RandomNumberGenerator
    ) -> Overdue? {
        let unshared = endOverdueGreeting(index, into: &step)
        if let check = self[index].duplicate, check.deadline <= step.now {
            duplicateUnanswered(check, on: index, into: &step, random: &random)
        }
        guard self[index].phase != .closing else { return unshared }
        switch self[index].liveness.check(at: step.now) {
        case .well:
            break
        case .ping:
            ping(index, at: step.now, random: &random)
            pingIdle(at: step.now, random: &random)
        case .askForReceipt:
            step.effects.receipts.append(self[index].id)
        case .suspect:
            mesh.membersChanged()
            step.deliver(self[index].notice(of: .suspected))
            ping(index, at: step.now, random: &random)
            return .suspected(self[index].device, isMember: self[index].isMember)
        case .dead:
            self[index].close(saying: .silent, text: "nothing was heard for 15 s", into: &step)
        }
        return nil
    }

    /// Ends a link whose peer did not say hello, or prove a shared conversation, in time.
    private mutating func endOverdueGreeting(_ index: Int, into step: inout Step) -> Overdue? {
        guard let deadline = self[index].phase.deadline, deadline <= step.now else { return nil }
        guard !pairings.needs(self[index].id) else {
            self[index].phase = .proving(deadline: step.now + LinkPhase.patience)
            return nil
        }
        guard self[index].hello != nil else {
            self[index].close(saying: .silent, text: "no hello", into: &step)
            return nil
        }
        self[index].close(saying: .nothingShared, text: "no conversation is shared", into: &step)
        return unsharedAddress(of: index).map { .sharesNothing(address: $0) }
    }

    /// The address that was dialled for a link on which nothing is shared.
    package func unsharedAddress(of index: Int) -> String? {
        guard self[index].isInitiator, self[index].replications.isEmpty else { return nil }
        return self[index].address
    }

    // MARK: Duplicates

    /// The link at `index` has become a member's: resolves duplicates of links to its device.
    package mutating func becameMember(
        _ index: Int,
        into step: inout Step,
        random: inout some RandomNumberGenerator
    ) {
        for older in askOtherProcesses(of: index, at: step.now) {
            ping(older, at: step.now, random: &random)
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
    private mutating func duplicateUnanswered(
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
            case .ask(let index): ping(index, at: step.now, random: &random)
            case .close(let index): self[index].close(saying: .duplicate, into: &step)
            }
        }
    }
}
