/// What a node keeps of a turn game to judge its next message.
package struct MatchGame: Sendable, Equatable {
    /// The last message that is not against the rules.
    package private(set) var legal: MatchMove?
    /// Whether that message was checked against the one before.
    package private(set) var isChecked = false
    /// The message before the last legal one.
    package private(set) var before: MatchMove?
    /// Who offered the game; nil if the first message was never here.
    package private(set) var offerer: ParticipantID?
    /// The latest messages against the rules, oldest first.
    package private(set) var violations: [MatchViolation] = []

    package static let violationsMax = 16

    package init() {}

    package init(
        legal: MatchMove?,
        isChecked: Bool,
        before: MatchMove?,
        offerer: ParticipantID?,
        violations: [MatchViolation]
    ) {
        self.legal = legal
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

    /// The message that a head follows directly.
    package enum Base: Sendable, Equatable {
        case first
        case after(MatchMove)
        /// The message before is not here.
        case unknown
        /// The author has the last legal message, and wrote as if it were not there.
        case takenBack
    }

    /// The message that a head follows directly; messages against the rules in between count.
    package func base(of head: Head) -> Base {
        guard let legal else { return head.revision == 1 ? .first : .unknown }
        if head.hasInContext(legal.dot) {
            if head.revision <= legal.head.revision { return .takenBack }
            return follows(legal, head) ? .after(legal) : .unknown
        }
        guard let before, head.hasInContext(before.dot), follows(before, head) else {
            return .unknown
        }
        return .after(before)
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

    private func follows(_ base: MatchMove, _ head: Head) -> Bool {
        let between = violations(upon: base, in: head).map(\.head.revision)
        return head.revision == max(base.head.revision, between.max() ?? 0) + 1
    }

    /// Notes a judged message.
    ///
    /// - Returns: whether it is the last legal message now.
    package mutating func take(
        _ move: MatchMove,
        _ verdict: MatchVerdict,
        isFirm: Bool
    ) -> Bool {
        let base = base(of: move.head)
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
        return true
    }

    /// Notes a message against the rules.
    package mutating func add(
        _ fault: MatchFault,
        to head: Head,
        by author: ParticipantID,
        _ move: MatchMove? = nil
    ) {
        var dot: Dot?
        if case .after(let base) = base(of: head) { dot = base.dot }
        violations.removeAll { $0.head.dot == head.dot }
        violations.append(
            MatchViolation(head: head, author: author, fault: fault, base: dot, move: move)
        )
        violations.removeFirst(max(0, violations.count - Self.violationsMax))
    }
}
