package import Foundation

/// A message of a game and the one before, as a node asks for the rules of the app.
package struct MoveDetail: Sendable {
    package let before: MessageContent
    package let after: MessageContent
    package let session: SessionID
    /// The participant who wrote the message.
    package let author: UUID
    /// The participants who have left the game.
    package let quit: Set<UUID>
    /// The dice and cards of the message before as everybody sees them.
    package let chance: ChanceDetail

    package init(
        from before: MessageContent,
        to after: MessageContent,
        in session: SessionID,
        by author: UUID,
        quit: Set<UUID>,
        chance: ChanceDetail
    ) {
        self.before = before
        self.after = after
        self.session = session
        self.author = author
        self.quit = quit
        self.chance = chance
    }

    /// The rules of the apps on a node: whether a message is allowed; nil if that cannot be told.
    package typealias Rules = @Sendable (MoveDetail) -> Bool?
}
