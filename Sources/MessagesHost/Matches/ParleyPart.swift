public import Foundation
import ParleyNode

/// A secret that a player has sealed for another one; all others carry it along.
public struct ParleyPart: Hashable, Sendable {
    /// The participant who sealed it.
    public let author: UUID
    /// The participant whom it is for.
    public let recipient: UUID
    /// The content; nil for everybody else, and until the keys of the author have arrived.
    public let content: Data?
    /// Whether nothing could be sealed, as the recipient's node had given no key, or a false one.
    public let isEmpty: Bool
}

extension ParleyPart {
    /// The parts of a match with what is known of their content.
    static func all(of match: Match, opened: [Match.Part: Data]) -> [ParleyPart] {
        let seats = match.seats
        return (match.parts ?? []).compactMap { part in
            guard seats.indices.contains(part.to), seats.indices.contains(part.by) else {
                return nil
            }
            return ParleyPart(
                author: seats[part.by],
                recipient: seats[part.to],
                content: opened[part],
                isEmpty: part.sealed.isEmpty
            )
        }
    }
}
