/// The state of a turn game in a message: seats, turn, and how the game ended.
///
/// The app's data stands beside it in the URL; the nodes check only what is here.
package struct MatchState: Sendable, Equatable {
    /// A part of a game; a later message never goes back to an earlier one.
    package enum Phase: UInt64, Sendable, Comparable, CaseIterable {
        case offered, running, over

        package static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    package var phase: Phase
    /// The message of the game that this one follows; nil in the first one.
    package var base: Dot?
    /// How many play: at least 1, at most `Limits.matchSeats`.
    package var size: ClosedRange<Int>
    /// The players in the order of their seats; while the game is offered, those confirmed so far.
    package var seats: [ParticipantID]
    /// The seats whose turn it is, ascending.
    package var turn: [Int]
    /// The seconds for this turn, within `Limits.clockSeconds`; nil for any time.
    package var clock: UInt64?
    /// The result of each seat; empty until the game is over.
    package var outcomes: [MatchOutcome]
    /// What the author does because the time of a turn is over.
    package var claim: MatchClaim?
    /// The session of the game before, if this is a rematch.
    package var previous: SessionUUID?
    /// The author's own message that this one takes back.
    package var undone: Dot?
    /// The messages against the rules that this one goes on without, at most
    /// `Limits.overruledMessages`.
    package var overruled: [Dot]
    /// What is sealed to single players, at most `Limits.matchParts`.
    package var parts: [MatchPart]
    /// The dice and cards of the game.
    package var chance: MatchChance
    /// Whether the author may take this message back until somebody moves.
    package var mayUndo: Bool
    /// The latest settled offer of an exchange of each origin, ascending, at most
    /// `Limits.settledExchanges`.
    package var settled: [Dot]

    package init(
        phase: Phase,
        base: Dot? = nil,
        size: ClosedRange<Int>,
        seats: [ParticipantID] = [],
        turn: [Int] = [],
        clock: UInt64? = nil,
        outcomes: [MatchOutcome] = [],
        claim: MatchClaim? = nil,
        previous: SessionUUID? = nil,
        undone: Dot? = nil,
        overruled: [Dot] = [],
        parts: [MatchPart] = [],
        chance: MatchChance = MatchChance(),
        mayUndo: Bool = false,
        settled: [Dot] = []
    ) {
        self.phase = phase
        self.base = base
        self.size = size
        self.seats = seats
        self.turn = turn
        self.clock = clock
        self.outcomes = outcomes
        self.claim = claim
        self.previous = previous
        self.undone = undone
        self.overruled = overruled
        self.parts = parts
        self.chance = chance
        self.mayUndo = mayUndo
        self.settled = settled
    }
}

/// The dice and cards of a game, which nobody chooses.
package struct MatchChance: Sendable, Equatable {
    /// The roll of dice that is called for, or goes on.
    package var roll: MatchRoll?
    /// The deck from which cards are dealt.
    package var deck: MatchDeck?

    package init(roll: MatchRoll? = nil, deck: MatchDeck? = nil) {
        self.roll = roll
        self.deck = deck
    }
}

/// The result of one seat.
package struct MatchOutcome: Sendable, Equatable {
    package enum Result: UInt64, Sendable, CaseIterable {
        case won, lost, tied, placed, quit
    }

    package var result: Result
    /// The place, from 1; 0 for a game without places.
    package var place: UInt64
    package var score: Int64

    package init(_ result: Result, place: UInt64 = 0, score: Int64 = 0) {
        self.result = result
        self.place = place
        self.score = score
    }
}

/// The claim of a participant on a turn whose time is over.
package struct MatchClaim: Sendable, Equatable {
    package enum Action: UInt64, Sendable, CaseIterable {
        /// The turn goes on to the next seat.
        case skips
        case ends
    }

    /// The message whose clock has run out.
    package var message: Dot
    package var action: Action

    package init(_ action: Action, after message: Dot) {
        self.action = action
        self.message = message
    }
}
