extension Match.Fault: CustomStringConvertible {
    /// The broken rule, in one sentence.
    public var description: String {
        switch self {
        case .tooLong: "A message of a game has at most 15 KiB."
        case .seatTwice: "A player has two seats."
        case .seatCount: "The game is for fewer or for more players."
        case .notSeated: "Who watches a game cannot move in it."
        case .wrongPhase: "A turn, a claim or an undo is not possible in this part of the game."
        case .outcomes: "A game ends with one result for each seat, and not before."
        case .seatsChanged: "The seats of a game that has begun stay as they are."
        case .phaseFell: "A game that has begun does not go back."
        case .phaseSkipped: "A game cannot end before it began."
        case .outOfTurn: "It is not your turn in this game."
        case .notOfferer: "Who offered the game changes the offer, and starts it."
        case .seatNotTaken: "A player has not taken the seat yet."
        case .rematchSeats: "In a rematch the seats move on by one."
        case .claimOfAnother: "Only the turn that is on can be claimed."
        case .noClock: "This turn has no clock, so that it cannot be claimed."
        case .claimedTooEarly: "The clock of the turn has not run out."
        case .undoOfAnother: "Only your own last move can be taken back."
        case .undoNotAllowed: "This move cannot be taken back."
        case .undoDiffers: "Taking a move back restores exactly what was there before."
        case .takenBack: "A move is replaced only by a later one."
        case .overruledLegal: "The move that this one goes on without is within the rules."
        case .builtOnFault: "The message before is against the rules."
        case .rollChanged: "A roll stays as it is until all have seen it, and is made once."
        case .rollSeats: "All who are still in the game have a part in a roll, and nobody else."
        case .rollUnanswered: "The game goes on once everybody has given a part of the roll."
        case .chainBroken: "A player changed what a roll is made of."
        case .revealedEarly: "A part of a roll is given once the roll is called for."
        case .partChanged: "What a player has sealed for another one stays as it is."
        case .appRule: "The rules of the game do not allow this move."
        case .isOver: "The game is over."
        case .noGame: "A message in the session of a game has to be one of the game."
        }
    }
}
