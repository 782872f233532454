/// A turn game, as far as a node needs it to judge the next message.
package struct MatchGame: Sendable, Equatable {
    /// The last message that is not against the rules.
    package private(set) var legal: MatchMove?
    /// Whether that message was checked against the one before.
    package private(set) var isChecked = false
    /// The message before the last legal one.
    package private(set) var before: MatchMove?
    /// The participant that offered the game; nil if the first message was never here.
    package private(set) var offerer: ParticipantID?
    /// The latest messages against the rules, oldest first.
    package private(set) var violations: [MatchViolation] = []

    package static let violationsMax = 16

    package init() {}

    /// The game as it was stored: nobody knows who stands behind a message that was not checked.
    package init(
        legal: MatchMove?,
        isChecked: Bool,
        before: MatchMove?,
        offerer: ParticipantID?,
        violations: [MatchViolation]
    ) {
        self.legal = legal
        self.legal?.isSound = isChecked
        self.isChecked = isChecked
        self.before = before
        self.offerer = offerer
        self.violations = violations
    }

    /// The last legal message, if the game is over with it.
    package var end: MatchState? { legal.flatMap { $0.state.phase == .over ? $0.state : nil } }

    /// Whether a participant may end the session: who offered a game may withdraw the offer.
    package func mayEnd(_ participant: ParticipantID) -> Bool {
        legal?.state.phase == .offered && participant == offerer
    }

    /// The message that another one follows.
    package enum Base: Sendable, Equatable {
        case first
        case after(MatchMove)
        /// The message before is not here.
        case unknown
        /// The author has the last legal message, and wrote as if it were not there.
        case takenBack
        /// The message before is against the rules, and goes on from the dot if that is known.
        case faulty(upon: Dot?)
    }

    /// The message that another one names as the one before.
    package func base(of move: MatchMove) -> Base {
        let (head, named) = (move.head, move.state.base)
        guard let legal else { return named == nil && head.revision == 1 ? .first : .unknown }
        let knowsLegal = head.hasInContext(legal.dot)
        if knowsLegal, head.revision <= legal.head.revision { return .takenBack }
        if named == legal.dot { return knowsLegal ? .after(legal) : .unknown }
        if let faulty = violations.first(where: { $0.head.dot == named }) {
            return .faulty(upon: faulty.base)
        }
        let isBefore = named == before?.dot
        if knowsLegal, isBefore || named == nil, !move.state.overruled.contains(legal.dot) {
            return mayLack(legal, move) ? .unknown : .takenBack
        }
        guard isBefore, let before, head.hasInContext(before.dot) else { return .unknown }
        return .after(before)
    }

    /// Whether the author may know of the last legal message only by somebody else's message
    /// against the rules, which has replaced it on the way.
    private func mayLack(_ legal: MatchMove, _ move: MatchMove) -> Bool {
        violations.contains {
            $0.author != move.author && move.head.hasInContext($0.head.dot)
                && $0.head.hasInContext(legal.dot)
        }
    }

    /// The messages that an addition may excuse.
    package var excusable: [MatchMove] {
        violations.compactMap { MatchFault.excusable.contains($0.fault) ? $0.move : nil }
    }

    /// The messages against the rules that a head has in its context, and that went on from `base`.
    func violations(upon base: MatchMove, in head: Head) -> [MatchViolation] {
        violations.filter {
            $0.base == base.dot && $0.head.dot != head.dot && head.hasInContext($0.head.dot)
        }
    }

    /// Whether a message that is here does not call for what was revealed for it.
    package func isEarly(_ reveal: RollReveal, by author: ParticipantID) -> Bool {
        guard let state = [legal, before].first(where: { $0?.dot == reveal.message })??.state else {
            return false
        }
        guard let roll = state.chance.roll, let seat = state.seats.firstIndex(of: author) else {
            return reveal.chain.open.number > 0 || reveal.chain.hidden.number > 0
        }
        let (isGiving, isShown) = (roll.giving.contains(seat), roll.kind == .shown)
        return reveal.chain.open.number > (isGiving ? roll.number : roll.number - 1)
            || reveal.chain.hidden.number > (isGiving && isShown ? roll.number : roll.number - 1)
    }

    /// Notes a judged message.
    ///
    /// - Returns: whether it is the last legal message now.
    package mutating func take(
        _ move: MatchMove,
        _ verdict: MatchVerdict,
        isFirm: Bool
    ) -> Bool {
        let base = base(of: move)
        if case .against(let fault) = verdict {
            add(fault, to: move.head, by: move.author, move)
            return false
        }
        violations.removeAll { $0.head.dot == move.dot }
        if case .after(let other) = base, other == legal {
        } else if let legal, move.head < legal.head {
            return false
        }
        if move.head.revision == 1 { offerer = move.author }
        if verdict == .legal, case .after(let other) = base { before = other } else { before = nil }
        isChecked = verdict == .legal
        legal = move
        legal?.isFirm = isChecked && isFirm
        legal?.isSound = isChecked && Self.isSound(move, upon: base)
        return true
    }

    /// Whether more than one player stands behind a checked message: the game is sound again when
    /// another player goes on from a message that could not be checked.
    private static func isSound(_ move: MatchMove, upon base: Base) -> Bool {
        guard case .after(let before) = base else { return true }
        return before.isSound || before.author != move.author
    }

    /// Notes a message or an addition against the rules; no message has an addition as its base.
    package mutating func add(
        _ fault: MatchFault,
        to head: Head,
        by author: ParticipantID,
        _ move: MatchMove? = nil,
        isAddition: Bool = false
    ) {
        let known = isAddition ? [] : [legal, before].compactMap { $0?.dot }
        var dot = known.first { head.hasInContext($0) }
        if let move {
            switch base(of: move) {
            case .after(let base): dot = base.dot
            case .faulty(let base): dot = base
            default: dot = nil
            }
        }
        // Additions of one participant take no place from messages.
        violations.removeAll {
            $0.head.dot == head.dot || isAddition && $0.fault == fault && $0.author == author
        }
        violations.append(
            MatchViolation(head: head, author: author, fault: fault, base: dot, move: move)
        )
        violations.removeFirst(max(0, violations.count - Self.violationsMax))
    }
}
