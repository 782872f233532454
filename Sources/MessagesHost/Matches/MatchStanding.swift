import Foundation
import ParleyNode

/// What a host knows of a match: the state in the latest message, and what was added.
struct MatchStanding {
    let match: Match
    let session: SessionID
    /// The author of the latest message; while the match is offered, the offerer.
    let author: UUID
    /// The participants with an addition for a seat, in the order of arrival.
    let joined: [UUID]
    /// The session of the match before, if this follows one.
    let previous: SessionID?
    /// Whether this device has asked for a seat there, once that match had begun without it.
    let hasWaited: Bool
    /// The seats of a rematch; nil for any other match.
    let rematchSeats: [UUID]?
    /// The participants with an addition that says that they left.
    let quitters: Set<UUID>
    /// This device's participant.
    let me: UUID
    /// Whether this device may write.
    let canWrite: Bool
    /// The messages against the rules since the last one within them.
    let violations: [ParleyViolation]
    /// The dice and cards, as far as the node knows them.
    let chance: ChanceDetail
    /// The contents of parts for this device.
    let opened: [Match.Part: Data]
    /// The exchanges that are neither settled nor cancelled.
    let exchanges: [ParleyExchange]
    /// When the message arrived here; nil for a message that is not the shown one.
    let seenAt: Date?
    /// When this device may ask the next one to move again; nil if it has not done so.
    let mayNudgeAt: Date?

    /// The seconds after which anybody who joined may start.
    static let patience = 60

    /// The seats as they are to be confirmed: who is in keeps the place, who came is next.
    var wantedSeats: [UUID] {
        let kept = match.seats.filter { $0 == author || joined.contains($0) }
        if let rematchSeats { return rematchSeats.filter { (kept + joined).contains($0) } }
        return Array((kept + joined.filter { !kept.contains($0) }).prefix(match.most))
    }

    /// The seats of participants who have not left, and are not out.
    var active: [Int] {
        match.seats.indices.filter { !quitters.contains(match.seats[$0]) }
            .filter { match.roll?.seats.contains($0) ?? true }
    }

    /// The active seats whose nodes have given their part of the roll.
    var answering: [Int] {
        let missing = chance.roll.flatMap { $0.isOf(match.roll) ? $0.missing : nil } ?? []
        return active.filter { !missing.contains($0) }
    }

    /// The seats whose nodes have something to do for the deck.
    private var missingForDeck: [Int] {
        chance.deck.flatMap { $0.number == match.deck?.number ? $0.missing : nil } ?? []
    }

    /// A deck without the others who give no part of the present one; nil if nobody is missing, or
    /// too few are left.
    var deckWithoutMissing: Match.Deck? {
        guard let deck = match.deck, missingForDeck.contains(where: { $0 != mySeat }) else {
            return nil
        }
        let seats = deck.seats.filter { seat in
            seat == mySeat || active.contains(seat) && !missingForDeck.contains(seat)
        }
        guard seats.count > 1, seats.count < deck.seats.count else { return nil }
        return Match.Deck(number: deck.number + 1, count: deck.count, seats: seats)
    }

    /// Whether this device has given its part of dice and cards, and others have not.
    private var waitsForChance: Bool {
        guard let mySeat else { return false }
        let missing = missingForDeck
        return answering.count < active.count && answering.contains(mySeat)
            || !missing.isEmpty && !missing.contains(mySeat)
    }

    /// The seat after `seat` of somebody who has not left.
    func seat(after seat: Int) -> Int {
        active.first { $0 > seat } ?? active.first ?? seat
    }

    var mySeat: Int? { match.seats.firstIndex(of: me) }

    /// The results once all others have left: whoever is still in has won.
    var lastOutcomes: [ParleyOutcome] {
        match.seats.indices.map { seat in
            active.contains(seat) ? .won : quitters.contains(match.seats[seat]) ? .quit : .lost
        }
    }

    /// Whether everybody whose turn it is has left.
    var isAbandoned: Bool {
        guard let turn = match.turn, !turn.isEmpty else { return false }
        return turn.allSatisfy { !active.contains($0) }
    }

    /// Whether this device may write the next message of the running match.
    var isMyTurn: Bool {
        guard match.phase == .running, let mySeat, active.contains(mySeat) else { return false }
        return isAbandoned || match.turn?.contains(mySeat) ?? true
    }

    /// When something changes without a message: the clock runs out, or anybody may start.
    var deadline: Date? {
        let seconds = match.phase == .offered ? Self.patience : match.clock
        guard match.phase != .over, let seconds else { return nil }
        return seenAt?.addingTimeInterval(TimeInterval(seconds))
    }

    func isLate(at now: Date) -> Bool { deadline.map { $0 <= now } ?? false }

    /// The times at which something changes without a message, the warning before one included.
    var alarms: [Date] {
        let clock = deadline.map { match.phase == .running ? [warning(before: $0), $0] : [$0] }
        return (clock ?? []) + (nudgeTime.map { [$0] } ?? [])
    }

    /// When this device may ask the next one to move; nil if it has no reason.
    private var nudgeTime: Date? {
        guard match.phase == .running, mySeat.map(active.contains) ?? false, !isMyTurn,
            let start = seenAt?.addingTimeInterval(Boards.waitBeforeNudge)
        else { return nil }
        return max(start, mayNudgeAt ?? start)
    }

    private func warning(before deadline: Date) -> Date {
        deadline.addingTimeInterval(-ParleyMatch.hurrySeconds)
    }

    private func isHurried(at now: Date) -> Bool {
        deadline.map { warning(before: $0) <= now && now < $0 } ?? false
    }

    func choices(at now: Date) -> Set<ParleyMatch.Choice> {
        guard canWrite, seenAt != nil else { return [] }
        let isLate = isLate(at: now)
        switch match.phase {
        case .offered: return offeredChoices(isLate: isLate)
        case .running:
            guard let mySeat else { return nextChoices }
            guard active.contains(mySeat) else { return [] }
            var choices: Set<ParleyMatch.Choice> = [.resign]
            if isAbandoned || isLate && (!isMyTurn || waitsForChance) { choices.insert(.claimTurn) }
            if author == me, match.mayUndo ?? false { choices.insert(.undo) }
            if let nudgeTime, nudgeTime <= now { choices.insert(.nudge) }
            return choices
        case .over: return mySeat == nil ? nextChoices : [.rematch, .newMatch]
        }
    }

    /// The choice of a device without a seat: to ask for one in the next match, or to give that up.
    private var nextChoices: Set<ParleyMatch.Choice> {
        [joined.contains(me) ? .leaveSeat : .takeNextSeat]
    }

    /// Whether this device has waited for this offer, and takes a seat by itself.
    var isAwaited: Bool {
        match.phase == .offered && rematchSeats == nil && hasWaited && author != me
            && !joined.contains(me)
    }

    private func offeredChoices(isLate: Bool) -> Set<ParleyMatch.Choice> {
        let hasJoined = joined.contains(me) || match.seats.contains(me)
        var choices: Set<ParleyMatch.Choice> = [hasJoined ? .leaveSeat : .takeSeat]
        if !(rematchSeats?.contains(me) ?? true) { choices = [] }
        let mayStart = author == me || hasJoined && isLate
        if mayStart, wantedSeats.count >= match.least { choices.insert(.start) }
        return choices
    }

    /// The match as apps see it.
    func made(at now: Date, watchers: [UUID], present: [UUID]) -> ParleyMatch {
        let seats = match.seats.enumerated().map { index, participant in
            ParleySeat(
                participant: participant,
                isMe: participant == me,
                hasTurn: match.phase == .running && match.turn?.contains(index) ?? false,
                hasQuit: quitters.contains(participant),
                outcome: match.outcomes?.indices.contains(index) ?? false
                    ? match.outcomes?[index] : nil
            )
        }
        let isOffered = match.phase == .offered
        let waiting = joined.filter { !match.seats.contains($0) }
        return ParleyMatch(
            session: session.uuid,
            phase: match.phase,
            size: match.least...max(match.least, match.most),
            seats: seats,
            waiting: waiting,
            author: author,
            watchers: watchers.filter { !match.seats.contains($0) && !waiting.contains($0) },
            present: present,
            isMyTurn: isMyTurn,
            clock: match.clock,
            deadline: isOffered ? nil : deadline,
            isLate: match.phase == .running && isLate(at: now),
            isHurried: match.phase == .running && isHurried(at: now),
            roll: ParleyRoll(match.roll, chance.roll, of: match.seats),
            deck: ParleyDeck(match.deck, chance.deck, of: match.seats),
            parts: ParleyPart.all(of: match, opened: opened),
            exchanges: exchanges,
            settled: Set(match.settled ?? []),
            outcomes: match.outcomes ?? [],
            previous: previous?.uuid,
            violations: violations,
            choices: choices(at: now)
        )
    }
}
