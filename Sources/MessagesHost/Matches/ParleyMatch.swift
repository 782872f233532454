public import Foundation
public import Messages
public import ParleyNode

/// A match: a game with seats, turns and an end, as its latest message and the additions tell.
public struct ParleyMatch: Hashable, Sendable {
    /// The part of the match: offered, running or over.
    public typealias Phase = Match.Phase

    /// What this device can do with the match now.
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// Ask for a seat; the offerer's node confirms it.
        case takeSeat
        /// Give the seat back before the start.
        case leaveSeat
        /// Begin with those who have joined.
        case start
        /// Go on without a participant whose time is over, or who has left.
        case claimTurn
        /// Leave a running match.
        case resign
        /// Ask for a seat in the match after one that has begun without this device.
        case takeNextSeat
        /// Play again, everybody one seat further.
        case rematch
        /// Play again with open seats, for all who were there and those who have come since.
        case newMatch
        /// Take the own last message back.
        case undo
        /// Ask whoever has the turn for 30 seconds to move, at most once a minute.
        case nudge
    }

    /// The session of the match.
    public let session: UUID
    /// The part of the match.
    public let phase: Phase
    /// The least and the greatest number of seats.
    public let size: ClosedRange<Int>
    /// The seats in their order; while the match is offered, those confirmed so far.
    public let seats: [ParleySeat]
    /// The participants who joined and have no confirmed seat, in the order of arrival; once the
    /// match has begun, those who want one in the next match.
    public let waiting: [UUID]
    /// The author of the latest message; while the match is offered, the one who offers it.
    package let author: UUID
    /// The participants of the conversation who have not joined.
    public let watchers: [UUID]
    /// The participants who have the match open at this moment, this device's included.
    public let present: [UUID]
    /// Whether this device may write the next message.
    public let isMyTurn: Bool
    /// The seconds for this turn; nil for any time.
    public let clock: Int?
    /// When the clock of this turn runs out, by the time of this machine; nil without a clock.
    ///
    /// The clock starts when the message of the turn arrives here, and again with the node.
    public let deadline: Date?
    /// Whether the clock of this turn has run out.
    public let isLate: Bool
    /// Whether the clock of this turn runs out within ten seconds.
    public let isHurried: Bool
    /// The present roll of dice; nil if there is none.
    public let roll: ParleyRoll?
    /// The present deck of cards; nil if there is none.
    public let deck: ParleyDeck?
    /// The secrets that players have sealed for single others.
    public let parts: [ParleyPart]
    /// The exchanges that are neither settled nor cancelled, in the order of arrival.
    public let exchanges: [ParleyExchange]
    /// The exchanges that are part of the game, the latest of each author's.
    public let settled: Set<MessageID>
    /// The result of each seat; empty until the match is over.
    public let outcomes: [ParleyOutcome]
    /// The session of the match before, if this is a rematch or a new match of the same people.
    public let previous: UUID?
    /// Messages of this match against the rules.
    public let violations: [ParleyViolation]
    /// What this device can do now.
    public let choices: Set<Choice>

    static let hurrySeconds: TimeInterval = 10

    /// The own seat, from 0; nil without one.
    public var mySeat: Int? { seats.firstIndex(where: \.isMe) }

    /// Whether this is the match of that session.
    public func isOf(_ session: MSSession?) -> Bool { session?.identifier == self.session }

    /// Whether this is a rematch of the match of that session.
    public func isRematch(of session: MSSession?) -> Bool {
        previous != nil && session?.identifier == previous
    }
}

extension ParleyMatch.Choice {
    /// A sentence for people who want this while it is not possible.
    var refusal: String {
        switch self {
        case .takeSeat: "Nobody can join this game now, or you have joined already."
        case .leaveSeat: "You have not joined, or the game has begun."
        case .start: "The one who offers a game starts it, once enough have joined."
        case .claimTurn: "Somebody still has time for a move."
        case .resign: "You are in no running game here."
        case .takeNextSeat: "Who has no seat in a game can join the next one."
        case .rematch, .newMatch: "Who has a seat can play again, once the game is over."
        case .undo: "The move cannot be taken back."
        case .nudge: "Who has the turn is asked to move after 30 seconds, and once a minute."
        }
    }
}

/// A seat in a match.
public struct ParleySeat: Hashable, Sendable, Identifiable {
    /// The participant with the seat.
    public let participant: UUID
    /// Whether the seat is this device's.
    public let isMe: Bool
    /// Whether it is the turn of the seat.
    public let hasTurn: Bool
    /// Whether the participant has left the running match.
    public let hasQuit: Bool
    /// The result, once the match is over.
    public let outcome: ParleyOutcome?

    /// The participant with the seat.
    public var id: UUID { participant }
    /// The name for texts: a `$` with the participant's UUID, which people see as the name.
    public var name: String { "$" + participant.uuidString }
}

/// A message of a match against the rules.
public struct ParleyViolation: Hashable, Sendable {
    /// The author of the message.
    public let participant: UUID
    /// A sentence that names the rule.
    public let reason: String
}

/// The result of one seat: the kind, and perhaps a place or points.
public typealias ParleyOutcome = Match.Outcome

/// A text that a player chooses now and shows later, so that everybody sees that it is the same.
public typealias ParleyPromise = PromisedText

extension Match.Outcome {
    /// A seat that won.
    public static let won = Match.Outcome(.won)
    /// A seat that lost.
    public static let lost = Match.Outcome(.lost)
    /// A seat that neither won nor lost.
    public static let tied = Match.Outcome(.tied)
    /// A seat whose participant left.
    public static let quit = Match.Outcome(.quit)
}
