/// What a node says of the turn game of a session.
public struct MatchDetail: Hashable, Sendable, Codable {
    /// The last message within the rules, if the shown one is against them or cannot be read; it is
    /// to be shown instead.
    public let legal: Message?
    /// The latest messages against the rules, oldest first; at most 16.
    public let violations: [Match.Violation]
    /// Whether the last message within the rules was checked against the one before, which a node
    /// that came later does not have.
    public let isChecked: Bool

    private enum CodingKeys: String, CodingKey {
        case legal, violations
        case isChecked = "checked"
    }

    package init(legal: Message?, violations: [Match.Violation], isChecked: Bool) {
        self.legal = legal
        self.violations = violations
        self.isChecked = isChecked
    }
}

extension Match {
    /// A message against the rules of its game.
    public struct Violation: Hashable, Sendable, Codable {
        /// The message, which may have been replaced since.
        public let message: MessageID
        /// The participant who wrote the message.
        public let sender: Participant
        /// The rule that was broken.
        public let fault: Fault

        package init(message: MessageID, sender: Participant, fault: Fault) {
            self.message = message
            self.sender = sender
            self.fault = fault
        }
    }

    /// Why a message is against the rules of its game.
    public enum Fault: String, Hashable, Sendable, Codable, CaseIterable {
        /// The message has more bytes than nodes keep of one.
        case tooLong
        /// A participant has two seats.
        case seatTwice
        /// Fewer or more seats are taken than the game has.
        case seatCount
        /// The author has no seat in a game that has begun.
        case notSeated
        /// A turn, a claim or an undo in a part of the game that has none.
        case wrongPhase
        /// There is not one result for each seat, or there are results before the end.
        case outcomes
        /// The seats or the size of a game that has begun changed.
        case seatsChanged
        /// The game went back to an earlier part.
        case phaseFell
        /// The game ended without having begun.
        case phaseSkipped
        /// Another seat has the turn.
        case outOfTurn
        /// Somebody else changed an offer, or started the game within the time of who offered it.
        case notOfferer
        /// A seat was given to somebody who had not taken it.
        case seatNotTaken
        /// The seats of a rematch are not those of the game before, rotated by one.
        case rematchSeats
        /// The claim names another message than the one before.
        case claimOfAnother
        /// The claimed turn had no clock.
        case noClock
        /// The clock of the claimed turn had not run out.
        case claimedTooEarly
        /// The message taken back is not the author's own, or not the one before.
        case undoOfAnother
        /// The message may not be taken back.
        case undoNotAllowed
        /// Taking back did not restore what was there before.
        case undoDiffers
        /// The author replaced an own message as if it had never been sent.
        case takenBack
        /// A message within the rules was overruled.
        case overruledLegal
        /// The message goes on upon one against the rules without overruling it.
        case builtOnFault
        /// A roll changed before it was answered or shown, or had not the next number.
        case rollChanged
        /// The wrong seats gave links for a roll, or a seat that is out of the game has a turn.
        case rollSeats
        /// The message goes on without the links that answer the roll.
        case rollUnanswered
        /// A participant revealed a link of another chain than the one given with the seat.
        case chainBroken
        /// A participant revealed a link before it was called for.
        case revealedEarly
        /// A deck changed that is not over, or a dealt card, or a deck has not the next number.
        case deckChanged
        /// A seat that was not in the deck before is to shuffle, or fewer than two are.
        case deckSeats
        /// A participant did something else to a deck than what its secret says.
        case deckBroken
        /// A part sealed by another player is not as it was in the message before.
        case partChanged
        /// The message settles an exchange that somebody has not answered, or forgets one.
        case exchangeOpen
        /// A participant answered an exchange that did not ask for it.
        case notAsked
        /// The rules of the app do not allow the message.
        case appRule
        /// The game was over.
        case isOver
        /// A message that is none of the game, in the session of the game.
        case noGame
    }
}
