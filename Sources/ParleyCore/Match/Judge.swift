/// Judges a message of a turn game by the messages and additions that are here.
///
/// A verdict never touches the heads: nodes that know less would otherwise have other heads.
package struct Judge: Sendable {
    package let game: MatchGame
    package let move: MatchMove
    /// The participants with a standing addition to the game, by its kind.
    package var joined: [ParticipantID] = []
    package var quit: [ParticipantID] = []
    /// Whether the message has more bytes than one of a game may have.
    package var isTooLong = false
    /// The seats at the end of the game before; nil if there is none, or its end is not here.
    package var seatsBefore: [ParticipantID]?
    /// Whether the message has the links that answer the roll before it; nil if nobody can tell.
    package var isAnswered: Bool? = true
    /// Whether all have given their secrets of the deck before the message's; nil if nobody can
    /// tell.
    package var isDeckShown: Bool? = true
    /// Whether the exchanges that the message settles are answered; nil if nobody can tell.
    package var isSettled: Bool? = true
    /// The players of whom this node left messages out, for lack of capacity.
    package var leftOut: [ParticipantID] = []
    /// Whether the rules of the app allow the message; nil if nobody here can tell.
    package var isAllowed: Bool? = true
    package let now: Moment
    /// Whether this node is about to write the message: then no clock may go fast.
    package let isOwn: Bool

    /// The time that belongs to who offered a game, before others may start it.
    package static let startSeconds: UInt64 = 60

    package init(_ move: MatchMove, in game: MatchGame, at now: Moment, isOwn: Bool = false) {
        self.game = game
        self.move = move
        self.now = now
        self.isOwn = isOwn
    }

    var state: MatchState { move.state }

    /// The verdict, without faults that left-out additions may excuse: these are not checked.
    package func verdict() -> MatchVerdict {
        let verdict = verdictByWhatIsHere
        guard case .against = verdict, !leftOut.isEmpty else { return verdict }
        var judge = self
        judge.joined += leftOut
        judge.quit = quitOrLeftOut
        let other = judge.verdictByWhatIsHere
        return other == .legal ? .notChecked : other
    }

    /// The ruling by the participants in `quit`; nil in place of false if quits that were left out
    /// here may change the ruling.
    func unlessLeftOut(_ rule: ([ParticipantID]) -> Bool?) -> Bool? {
        let result = rule(quit)
        guard result == false, !leftOut.isEmpty else { return result }
        return rule(quitOrLeftOut) == false ? false : nil
    }

    /// The participants with a quit, known or perhaps left out; never the author.
    var quitOrLeftOut: [ParticipantID] { quit + leftOut.filter { $0 != move.author } }

    private var verdictByWhatIsHere: MatchVerdict {
        if isTooLong { return .against(.tooLong) }
        if let fault = state.problem(by: move.author, mayBegin: mayBegin) { return .against(fault) }
        switch game.base(of: move) {
        case .unknown: return .notChecked
        case .takenBack: return .against(.takenBack)
        case .faulty: return .against(.builtOnFault)
        case .first:
            guard carries([]) else { return .against(.partChanged) }
            return state.settled.isEmpty ? first() : .against(.exchangeOpen)
        case .after(let base):
            let verdict = overruling(base) ?? successor(of: base)
            if case .against = verdict { return verdict }
            guard state.undone != nil || carries(base.state.parts) else {
                return .against(.partChanged)
            }
            guard state.undone != nil || isSettled != false && state.keepsSettled(of: base.state)
            else { return .against(.exchangeOpen) }
            if isAllowed == false { return .against(.appRule) }
            return state.undone == nil && isSettled == nil ? .notChecked : verdict
        }
    }

    /// Whether others may not go on without the message, whatever their clocks say.
    package var isFirm: Bool {
        guard case .after(let base) = game.base(of: move) else { return true }
        guard isAllowed != nil, isSettled != nil else { return false }
        let isStart = base.state.phase == .offered && state.phase == .running
        guard base.isFirm, state.claim != nil || isStart && !isOfferer else { return base.isFirm }
        guard let elapsed = elapsed(since: base), let seconds = seconds(of: base) else {
            return false
        }
        return move.storedAt != nil && elapsed * 10 >= seconds * 11 + .seconds(50)
    }

    // MARK: Rules

    private func first() -> MatchVerdict {
        if state.claim != nil { return .against(.claimOfAnother) }
        if state.undone != nil { return .against(.undoOfAnother) }
        if state.chance.deck != nil { return .against(.deckChanged) }
        if state.chance.roll != nil { return .against(.rollChanged) }
        return switch state.phase {
        case .offered: .legal
        case .running: seating(offerer: move.author)
        case .over: .against(.phaseSkipped)
        }
    }

    /// The verdict on the messages that this one goes on without; nil if nothing is wrong.
    private func overruling(_ base: MatchMove) -> MatchVerdict? {
        let known = [game.legal, game.before].compactMap(\.self)
        let legal = known.filter { state.overruled.contains($0.dot) }
        if !legal.isEmpty {
            return legal.contains(where: \.isFirm) ? .against(.overruledLegal) : .notChecked
        }
        let last = game.violations(upon: base, in: move.head).max { $0.head < $1.head }
        guard let last, !state.overruled.contains(last.head.dot) else { return nil }
        return .against(.builtOnFault)
    }

    /// Whether each part is the author's own, or one of these.
    private func carries(_ parts: [MatchPart]) -> Bool {
        state.parts.allSatisfy { state.seats[$0.by] == move.author || parts.contains($0) }
    }

    private func successor(of base: MatchMove) -> MatchVerdict {
        guard base.state.phase != .over else { return .against(.isOver) }
        guard state.phase >= base.state.phase else { return .against(.phaseFell) }
        switch (base.state.phase, state.phase) {
        case (.offered, .over): return .against(.phaseSkipped)
        case (.offered, .offered):
            guard let offerer = game.offerer else { return .notChecked }
            return move.author == offerer ? .legal : .against(.notOfferer)
        case (.offered, _): return start(base)
        default: break
        }
        guard state.seats == base.state.seats, state.size == base.state.size else {
            return .against(.seatsChanged)
        }
        if let undone = state.undone { return undo(undone, base) }
        let verdict =
            state.claim.map { claim($0, base) } ?? (hasTurn(base) ? .legal : .against(.outOfTurn))
        if case .against = verdict { return verdict }
        let deck = deck(after: base)
        if case .against = deck { return deck ?? verdict }
        return roll(after: base) ?? deck ?? verdict
    }

    private func start(_ base: MatchMove) -> MatchVerdict {
        guard state.claim == nil else { return .against(.claimOfAnother) }
        guard state.undone == nil else { return .against(.undoOfAnother) }
        guard state.chance.deck == nil else { return .against(.deckChanged) }
        guard state.chance.roll == nil else { return .against(.rollChanged) }
        guard let offerer = game.offerer else { return .notChecked }
        let seating = seating(offerer: offerer)
        if case .against = seating { return seating }
        guard !isOfferer else { return seating }
        let timed = timed(since: base, fault: .notOfferer)
        return timed == .legal ? seating : timed
    }

    private func seating(offerer: ParticipantID) -> MatchVerdict {
        if state.previous != nil, let seatsBefore {
            guard state.seats == Array(seatsBefore.dropFirst() + seatsBefore.prefix(1)) else {
                return .against(.rematchSeats)
            }
        }
        let isTaken = state.seats.allSatisfy { $0 == offerer || joined.contains($0) }
        return isTaken ? .legal : .against(.seatNotTaken)
    }

    private func claim(_ claim: MatchClaim, _ base: MatchMove) -> MatchVerdict {
        guard claim.message == base.dot else { return .against(.claimOfAnother) }
        guard base.state.clock != nil else { return .against(.noClock) }
        return timed(since: base, fault: .claimedTooEarly)
    }

    private func undo(_ undone: Dot, _ base: MatchMove) -> MatchVerdict {
        guard undone == base.dot, move.author == base.author else {
            return .against(.undoOfAnother)
        }
        guard base.state.mayUndo, base.state.undone == nil else {
            return .against(.undoNotAllowed)
        }
        guard base == game.legal, let before = game.before else { return .notChecked }
        guard base.state.hasRoll(of: before.state),
            base.state.chance.deck == before.state.chance.deck
        else {
            return .against(.undoNotAllowed)
        }
        return move.hash == before.hash ? .legal : .against(.undoDiffers)
    }

    /// Whether the author may move: without a turn anybody may, and for who has quit as well.
    private func hasTurn(_ base: MatchMove) -> Bool {
        let turn = base.state.turn.map { base.state.seats[$0] }
        return turn.contains(move.author) || turn.allSatisfy { quit.contains($0) }
    }

    private var isOfferer: Bool { move.author == game.offerer }

    /// Whether this may be the start of the game by who offered it, and plays no part in it.
    private var mayBegin: Bool {
        guard state.phase == .running, isOfferer || game.offerer == nil else { return false }
        return switch game.base(of: move) {
        case .unknown: true
        // Elsewhere a start that this one goes on without may be against the rules.
        case .after(let base): base.state.phase == .offered || state.overruled.contains(base.dot)
        case .first, .takenBack, .faulty: false
        }
    }

    // MARK: Time

    /// The verdict of a message that is against the rules before its time.
    ///
    /// Clocks and paths differ, so that another node has a tenth and 5 s less to wait.
    private func timed(since base: MatchMove, fault: MatchFault) -> MatchVerdict {
        guard let elapsed = elapsed(since: base), let seconds = seconds(of: base) else {
            return .notChecked
        }
        if isOwn { return elapsed >= seconds ? .legal : .against(fault) }
        if elapsed * 10 < seconds * 9 - .seconds(50) { return .against(fault) }
        return move.storedAt == nil ? .notChecked : .legal
    }

    /// The time that a message had here; nil if nobody here knows how long it was on the way.
    private func elapsed(since base: MatchMove) -> Interval? { base.storedAt.map { now - $0 } }

    private func seconds(of base: MatchMove) -> Interval? {
        let seconds = base.state.phase == .offered ? Self.startSeconds : base.state.clock
        return seconds.map { Interval.seconds(Int64($0)) }
    }
}
