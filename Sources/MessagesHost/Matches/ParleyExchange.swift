public import Foundation
public import ParleyNode

/// Something that one player offers to others beside the turns, for example a trade.
///
/// All who are asked answer it. Then whoever has the turn makes it part of the game, with the next
/// message.
public struct ParleyExchange: Hashable, Sendable, Identifiable {
    /// The offer.
    public let id: MessageID
    /// The participant who made the offer.
    public let author: UUID
    /// The participants who are asked.
    public let recipients: [UUID]
    /// The content of the offer; only the app knows its meaning.
    public let data: Data
    /// The answers so far, by participant.
    public let answers: [UUID: Data]
    /// Whether all who are asked have answered, but for those who have left.
    public let isAnswered: Bool
}

extension ParleyExchange {
    /// Why something cannot be done with an exchange.
    public enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// The match is not running, or this device has no seat in it.
        case notPlaying
        /// The offer asks nobody, or somebody who has no seat.
        case nobodyAsked
        /// The own exchange before is neither settled nor cancelled.
        case oneAtATime
        /// The exchange is not, or no more, in the match.
        case gone
        /// The exchange does not ask this device, or is not its own.
        case notAsked
        /// Somebody has not answered.
        case unanswered
    }

    /// A step that a player takes in an exchange.
    package enum Step {
        case offer(Data, to: [UUID])
        case answer(MessageID, Data)
        case cancel(MessageID)
    }
}

extension ParleyExchange.Refusal {
    /// A sentence for people.
    var text: String {
        switch self {
        case .notPlaying: "Who has no seat in a running game exchanges nothing."
        case .nobodyAsked: "An exchange asks one or more of the other players."
        case .oneAtATime: "Your exchange before is still open."
        case .gone: "The exchange is over."
        case .notAsked: "The exchange does not ask you."
        case .unanswered: "Not all have answered the exchange."
        }
    }
}
