import Foundation
import Messages

extension DrawAndGuess {
    /// The participants whose turn it is after a message: the drawer after a wrong guess, and all
    /// others after a drawing.
    public static func next(
        after message: MSMessage,
        from sender: UUID,
        to others: [UUID]
    ) -> [UUID] {
        guard let round = Round(message: message), !round.isOver else { return [] }
        return round.isDrawersTurn ? [round.drawer] : others.filter { $0 != round.drawer }
    }
}
