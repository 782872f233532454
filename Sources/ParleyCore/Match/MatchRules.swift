/// The rules of apps: what nodes cannot judge without knowing the game.
///
/// A function of what it is given, so that all nodes with the app find the same; nil if it cannot
/// tell, or if the app is not here.
package typealias MatchRules = @Sendable (MatchStep) -> Bool?

/// A message of a game, and the one before.
package struct MatchStep: Sendable {
    package let before: MessageBody
    package let after: MessageBody
    package let author: ParticipantID
    /// The participants who have left the game.
    package let quit: [ParticipantID]
    /// The roll of the message before as everybody sees it.
    package let roll: RollView?
    /// The deck of the message before as everybody sees it.
    package let deck: DeckView?
}
