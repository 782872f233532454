/// Why a message of a turn game is against the rules.
///
/// The raw values are on disk, so they must never change.
package enum MatchFault: String, Sendable, CaseIterable {
    // From the message alone.
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

    // From the message before.
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
    /// The message goes on upon one against the rules.
    case builtOnFault
    /// A roll changed that is not yet answered, or was not shown, or had not the next number.
    case rollChanged
    /// The wrong seats give the links of a roll, or a seat that is out of the game has a turn.
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
    /// A participant gave a deck what does not fit, or is not what the own secret says.
    case deckBroken
    /// A part sealed by another player is not as it was in the message before.
    case partChanged
    /// The message settles an exchange that somebody has not answered, or forgets a settled one.
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

extension MatchFault {
    /// The faults that an addition may excuse which comes later than the message.
    static let excusable: Set = [
        Self.outOfTurn, .seatNotTaken, .builtOnFault, .rollChanged, .rollSeats, .rollUnanswered,
        .deckChanged, .deckSeats, .exchangeOpen, .appRule,
    ]
}

/// The verdict of a node on a message of a turn game.
package enum MatchVerdict: Sendable, Equatable {
    case legal
    /// The message before is not here, or something else that the rule needs.
    case notChecked
    case against(MatchFault)
}
