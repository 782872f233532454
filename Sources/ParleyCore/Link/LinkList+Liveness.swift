/// Watches which links answer.
extension LinkList {
    /// The consequence for the dialer when a deadline of a link has passed.
    package enum Overdue: Sendable, Equatable {
        /// The peer at this address shares nothing.
        case sharesNothing(address: String)
        /// The link does not answer: its device should be dialled as well.
        case suspected(DeviceID, isMember: Bool)
    }

    /// The network changed: pings all peers.
    mutating func pingAll(at now: Moment, random: inout some RandomNumberGenerator) {
        for index in indices { self[index].ping(random.next(), at: now) }
    }

    /// Pings all members that are due soon, so that the node wakes up once for all.
    private mutating func pingIdle(at now: Moment, random: inout some RandomNumberGenerator) {
        for index in indices
        where self[index].isMember && self[index].liveness.isIdleBeside(at: now) {
            self[index].ping(random.next(), at: now)
        }
    }

    /// Pings the peer: earlier frames are not acknowledged, and perhaps no answer is due.
    package mutating func unacknowledged(
        _ link: LinkID,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) {
        guard let index = index(of: link), self[index].liveness.receiptIsMissing() else { return }
        self[index].ping(random.next(), at: now)
    }

    /// The kernel has taken all bytes of a link.
    package mutating func drained(_ link: LinkID) {
        guard let index = index(of: link) else { return }
        self[index].outbox.drained()
    }

    // MARK: Deadlines

    /// Handles the deadlines of a link that have passed.
    ///
    /// A link that `isPairing` gets more time to prove a conversation.
    package mutating func meetDeadlines(
        of index: Int,
        isPairing: @autoclosure () -> Bool,
        into step: inout Step,
        random: inout some RandomNumberGenerator
    ) -> Overdue? {
        let unshared = endOverdueGreeting(index, isPairing: isPairing(), into: &step)
        if let check = self[index].duplicate, check.deadline <= step.now {
            duplicateUnanswered(check, on: index, into: &step, random: &random)
        }
        guard self[index].phase != .closing else { return unshared }
        switch self[index].liveness.check(at: step.now) {
        case .well:
            break
        case .ping:
            self[index].ping(random.next(), at: step.now)
            pingIdle(at: step.now, random: &random)
        case .askForReceipt:
            step.effects.receipts.append(self[index].id)
        case .suspect:
            step.deliver(self[index].notice(of: .suspected))
            self[index].ping(random.next(), at: step.now)
            return .suspected(self[index].device, isMember: self[index].isMember)
        case .dead:
            self[index].close(saying: .silent, text: "nothing was heard for 15 s", into: &step)
        }
        return nil
    }

    /// Ends a link whose peer did not say hello, or prove a shared conversation, in time.
    private mutating func endOverdueGreeting(
        _ index: Int,
        isPairing: @autoclosure () -> Bool,
        into step: inout Step
    ) -> Overdue? {
        guard let deadline = self[index].phase.deadline, deadline <= step.now else { return nil }
        guard !isPairing() else {
            self[index].phase = .proving(deadline: step.now + LinkPhase.patience)
            return nil
        }
        guard self[index].hello != nil else {
            self[index].close(saying: .silent, text: "no hello", into: &step)
            return nil
        }
        self[index].close(saying: .nothingShared, text: "no conversation is shared", into: &step)
        return self[index].unsharedAddress.map { .sharesNothing(address: $0) }
    }
}
