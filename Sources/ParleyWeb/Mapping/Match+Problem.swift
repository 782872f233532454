import ParleyNode

/// The remedy for a message against the rules of its game.
extension Match.Fault {
    /// The remedy.
    var hint: String {
        switch self {
        case .outOfTurn: "Wait for the move of who has the turn, or claim it when its clock is out."
        case .notOfferer: "Take a seat, and start the game yourself after a minute."
        case .seatNotTaken, .seatCount: "Wait until all players have taken their seats."
        case .claimedTooEarly: "Wait until the clock has run out."
        case .builtOnFault: "Go on from the last move within the rules, and overrule the other one."
        case .isOver, .noGame: "Begin a new session."
        case .notSeated: "Take a seat in the next game."
        default: "Look at the game again: its app may be at fault."
        }
    }
}
