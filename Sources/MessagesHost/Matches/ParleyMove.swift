public import Foundation

/// A message of a match that has begun, and the one before, as the rules of an app get them.
///
/// In both matches "I" am the author of the message: `mySeat` is the author's seat.
public struct ParleyMove: Sendable {
    /// The data of one message, and the match after it.
    public struct Position: Sendable {
        /// The data of the app.
        public let url: URL?
        /// The match; the dice of the later message are not known.
        public let match: ParleyMatch
    }

    /// The message before, which may be the offer.
    public let before: Position
    /// The message that somebody wrote.
    public let after: Position
}

/// The verdict of the rules of an app on a message.
public enum ParleyRuling: Hashable, Sendable {
    /// The message is within the rules.
    case allowed
    /// The message is against the rules; the reason is one short sentence.
    case against(String)
    /// Something is not here by which the rules could tell, such as dice of others.
    case unknown

    /// Whether the message is within the rules; nil if that cannot be told.
    var isAllowed: Bool? { self == .unknown ? nil : self == .allowed }
}
