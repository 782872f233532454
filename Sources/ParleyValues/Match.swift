public import Foundation

/// The state of a turn game in one of its messages.
public struct Match: Hashable, Sendable, Codable {
    /// The most messages against the rules that one message overrules.
    public static let overruledMax = 16

    /// A part of a game; a later message never goes back to an earlier one.
    public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        case offered, running, over
    }

    /// The part of the game.
    public var phase: Phase
    /// The least number of players, at least 1.
    public var least: Int
    /// The greatest number of players, at most 16.
    public var most: Int
    /// The players in the order of their seats; while the game is offered, those confirmed so far.
    public var seats: [UUID] = []
    /// The seats whose turn it is, from 0, ascending.
    public var turn: [Int]?
    /// The seconds for this turn, 15 to 2,592,000; nil for any time.
    public var clock: Int?
    /// The result of each seat, once the game is over.
    public var outcomes: [Outcome]?
    /// What the author does because the time of a turn is over.
    public var claim: Claim?
    /// The session of the game before, if this is a rematch.
    public var previous: SessionID?
    /// The author's own message that this one takes back.
    public var undone: MessageID?
    /// The messages against the rules that this one goes on without, at most 16.
    public var overruled: [MessageID]?
    /// What is sealed to single players, at most 16.
    public var parts: [Part]?
    /// The secrets that the node is to seal with this message.
    package var sealing: [PartDraft]?
    /// The roll of dice that is called for, or goes on.
    public var roll: Roll?
    /// The deck from which cards are dealt.
    public var deck: Deck?
    /// Whether the author may take this message back until somebody moves.
    public var mayUndo: Bool?
    /// The offers of exchanges that the game has settled, the latest of each author's, at most 16.
    public var settled: [MessageID]?

    private enum CodingKeys: CodingKey {
        case phase, least, most, seats, turn, clock, outcomes, claim, previous, undone, overruled
        case parts, roll, deck, mayUndo, settled
    }

    /// Makes the state of a game for `least` to `most` players.
    public init(_ phase: Phase, least: Int, most: Int) {
        self.phase = phase
        self.least = least
        self.most = most
    }

    /// The result of one seat.
    public struct Outcome: Hashable, Sendable, Codable {
        /// The kind of a result.
        public enum Result: String, Hashable, Sendable, Codable, CaseIterable {
            case won, lost, tied, placed, quit
        }

        /// The kind.
        public var result: Result
        /// The place, from 1; nil for a game without places.
        public var place: Int?
        /// The points; nil for a game without points.
        public var score: Int?

        /// Makes a result.
        public init(_ result: Result, place: Int? = nil, score: Int? = nil) {
            self.result = result
            self.place = place
            self.score = score
        }
    }

    /// A secret for one player, which the others carry along and cannot read.
    public struct Part: Hashable, Sendable, Codable {
        /// The seat of whom it is for.
        public var to: Int
        /// The seat of who sealed it.
        public var by: Int
        /// The public key that was made for this part alone, 32 bytes.
        public var key: Data
        /// The sealed bytes, at most 2,048.
        public var sealed: Data

        package init(to: Int, by: Int, key: Data, sealed: Data) {
            self.to = to
            self.by = by
            self.key = key
            self.sealed = sealed
        }
    }

    /// A secret that is to be sealed.
    package struct PartDraft: Hashable, Sendable {
        /// The seat of whom it is for.
        package let to: Int
        /// At most 2,020 bytes.
        package let content: Data

        package init(to: Int, content: Data) {
            self.to = to
            self.content = content
        }
    }

    /// What somebody does with a turn whose time is over.
    public struct Claim: Hashable, Sendable, Codable {
        /// The consequence for the game.
        public enum Action: String, Hashable, Sendable, Codable, CaseIterable {
            case skips, ends
        }

        /// The message whose clock has run out.
        public var message: MessageID
        /// The consequence.
        public var action: Action

        /// Makes a claim.
        public init(_ action: Action, after message: MessageID) {
            self.action = action
            self.message = message
        }
    }
}

/// What one participant adds to another session without replacing anything there.
public struct Addition: Hashable, Sendable, Codable {
    /// The kind of an addition.
    public enum Kind: Int, Hashable, Sendable, Codable, CaseIterable {
        case seat = 1
        case quit, answer, exchange, exchangeAnswer, draw, deck, reaction
    }

    /// The session to which this is an addition.
    public var session: SessionID
    /// The kind.
    public var kind: Kind
    /// Tells additions of one kind and participant apart: 0 to 15.
    public var slot = 0
    /// The meaning depends on the kind; at most 8,192 bytes.
    public var content: Data

    /// Makes an addition.
    public init(to session: SessionID, _ kind: Kind, content: Data = Data()) {
        self.session = session
        self.kind = kind
        self.content = content
    }
}
