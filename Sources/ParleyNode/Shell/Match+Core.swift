import Foundation
import ParleyCore

extension Match {
    init(_ state: MatchState) {
        let phase: Phase =
            switch state.phase {
            case .offered: .offered
            case .running: .running
            case .over: .over
            }
        self.init(phase, least: state.size.lowerBound, most: state.size.upperBound)
        seats = state.seats.map(\.uuid)
        turn = state.turn.isEmpty ? nil : state.turn
        clock = state.clock.map { Int($0) }
        outcomes = state.outcomes.isEmpty ? nil : state.outcomes.map(Outcome.init)
        claim = state.claim.map(Claim.init)
        previous = state.previous.map { SessionID($0) }
        undone = state.undone.map { MessageID($0) }
        overruled = state.overruled.isEmpty ? nil : state.overruled.map { MessageID($0) }
        parts = state.parts.isEmpty ? nil : state.parts.map(Part.init)
        roll = state.chance.roll.map(Roll.init)
        deck = state.chance.deck.map(Deck.init)
        mayUndo = state.mayUndo ? true : nil
        settled = state.settled.isEmpty ? nil : state.settled.map { MessageID($0) }
    }

    /// The state in an envelope.
    ///
    /// - Throws: `badDraft` for a number out of its range or a malformed ID.
    func core() throws(NodeError) -> MatchState {
        guard (1...Limits.matchSeats).contains(least), (least...Limits.matchSeats).contains(most)
        else { throw .badDraft("a game has 1 to \(Limits.matchSeats) players") }
        var state = MatchState(phase: phase.core, size: least...most)
        state.seats = seats.map { ParticipantID(Bytes16($0)) }
        state.turn = turn ?? []
        state.clock = try clock.map { (seconds) throws(NodeError) in
            guard let number = UInt64(exactly: seconds), Limits.clockSeconds.contains(number) else {
                throw .badDraft("a turn takes 15 to 2,592,000 seconds")
            }
            return number
        }
        state.outcomes = try (outcomes ?? []).map { (outcome) throws(NodeError) in
            try outcome.core()
        }
        state.claim = try claim.map { (claim) throws(NodeError) in
            MatchClaim(claim.action == .skips ? .skips : .ends, after: try claim.message.known())
        }
        state.previous = previous?.core
        state.undone = try undone.map { (id) throws(NodeError) in try id.known() }
        state.overruled = try (overruled ?? []).map { (id) throws(NodeError) in try id.known() }
        guard parts?.count ?? 0 <= Limits.matchParts else {
            throw .badDraft("a message of a game has at most \(Limits.matchParts) parts")
        }
        state.parts = try (parts ?? []).map { (part) throws(NodeError) in
            try part.core(of: seats.count)
        }
        state.chance.roll = try roll.map { (roll) throws(NodeError) in
            try roll.core(of: seats.count)
        }
        state.chance.deck = try deck.map { (deck) throws(NodeError) in
            try deck.core(of: seats.count)
        }
        state.mayUndo = mayUndo ?? false
        state.settled = try (settled ?? []).map { (id) throws(NodeError) in try id.known() }
        return state
    }
}

extension Match.Phase {
    fileprivate var core: MatchState.Phase {
        switch self {
        case .offered: .offered
        case .running: .running
        case .over: .over
        }
    }
}

extension Match.Outcome {
    fileprivate init(_ outcome: MatchOutcome) {
        let result: Result =
            switch outcome.result {
            case .won: .won
            case .lost: .lost
            case .tied: .tied
            case .placed: .placed
            case .quit: .quit
            }
        self.init(
            result,
            place: outcome.place == 0 ? nil : Int(outcome.place),
            score: outcome.score == 0 ? nil : Int(outcome.score)
        )
    }

    fileprivate func core() throws(NodeError) -> MatchOutcome {
        let result: MatchOutcome.Result =
            switch self.result {
            case .won: .won
            case .lost: .lost
            case .tied: .tied
            case .placed: .placed
            case .quit: .quit
            }
        guard let place = UInt64(exactly: place ?? 0), place <= Limits.matchSeats else {
            throw .badDraft("a place is 1 to \(Limits.matchSeats)")
        }
        return MatchOutcome(result, place: place, score: Int64(score ?? 0))
    }
}

extension Match.Claim {
    fileprivate init(_ claim: MatchClaim) {
        self.init(claim.action == .skips ? .skips : .ends, after: MessageID(claim.message))
    }
}

extension MessageID {
    /// The dot of the message.
    ///
    /// - Throws: `badDraft` for a malformed ID.
    fileprivate func known() throws(NodeError) -> Dot {
        guard let dot else { throw .badDraft("the message ID \(description) is malformed") }
        return dot
    }
}

extension Addition {
    /// Makes the value; nil for a kind of a later version.
    init?(_ side: SideMessage) {
        guard let kind = Int(exactly: side.kind).flatMap(Kind.init) else { return nil }
        self.init(to: SessionID(side.session), kind, content: Data(side.content.bytes))
        slot = Int(side.slot)
    }

    /// The addition in an envelope.
    ///
    /// - Throws: `badDraft` or `tooLarge` for a number out of its range or too long content.
    func core() throws(NodeError) -> SideMessage {
        guard let slot = UInt64(exactly: slot), slot < Limits.sideSlots,
            let kind = SideMessage.Kind(rawValue: UInt64(kind.rawValue))
        else { throw .badDraft("a slot is 0 to \(Limits.sideSlots - 1)") }
        guard content.count <= Limits.sideBytes else {
            throw .tooLarge(what: "the addition", size: content.count, limit: Limits.sideBytes)
        }
        return SideMessage(to: session.core, kind, slot: slot, content: Slice(Array(content)))
    }
}

extension Addition {
    /// The most bytes of a reaction's emoji.
    private static let emojiBytes = 32

    /// A participant's reaction to a message of the session; a later one replaces it.
    ///
    /// - Returns: nil unless the emoji is one character of at most 32 bytes.
    package init?(_ emoji: String, on message: MessageID, in session: SessionID) {
        guard let dot = message.dot, Self.isReaction(emoji) else { return nil }
        var bytes: [UInt8] = []
        dot.appendPacked(to: &bytes)
        self.init(to: session, .reaction, content: Data(bytes + Array(emoji.utf8)))
    }

    /// The emoji, and the message that it is on; nil for another addition or a malformed one.
    package var reaction: (emoji: String, message: MessageID)? {
        guard kind == .reaction, content.count > Dot.packedBytes,
            let dot = try? Dot(packed: Slice(Array(content)), at: 0),
            let emoji = String(
                validating: content.dropFirst(Dot.packedBytes),
                as: UTF8.self
            ),
            Self.isReaction(emoji)
        else { return nil }
        return (emoji, MessageID(dot))
    }

    private static func isReaction(_ emoji: String) -> Bool {
        emoji.count == 1 && emoji.utf8.count <= emojiBytes && GivenName.canBeSeen(emoji)
    }
}
