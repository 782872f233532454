public import Foundation
package import ParleyNode

/// A roll of dice in a match, which nobody chose and everybody can check.
///
/// The values follow from secrets that all nodes fixed before the match and give away one by one.
/// The host does that by itself.
public struct ParleyRoll: Hashable, Sendable {
    /// A roll to be made.
    public enum Call: Hashable, Sendable {
        /// One roll that all see, made by the author and the participant whose turn is next.
        case open
        /// One roll that all see, made by all who are in the match.
        case all
        /// A roll of their own for all who are in, which others see once it is shown.
        case hidden
    }

    /// The number of the roll, which rises.
    public let number: Int
    /// Whether each participant has other dice.
    public let isOfEach: Bool
    /// Whether all may see all dice.
    public let isShown: Bool
    /// The participants who are still in the match, in the order of the seats.
    public let participants: [UUID]
    /// The participants whose nodes have not given their part yet.
    public let missing: [UUID]
    /// The values of participants, 32 bytes each.
    let values: [UUID: Data]

    /// The dice of a participant: numbers from 1; nil if they are hidden here, or still to come.
    ///
    /// The same call always has the same result, here and for everybody else who sees the dice. As
    /// many as 49 dice of up to 16 sides come from one roll. A die has 1 to 65,536 sides; for other
    /// numbers the answer is nil.
    public func dice(of participant: UUID, count: Int = 1, sides: Int = 6) -> [Int]? {
        guard (1...65_536).contains(sides), var number = values[participant].map(Array.init) else {
            return nil
        }
        return (0..<max(0, count)).map { _ in
            var rest = 0
            // Division by hand, from the highest byte on.
            for index in number.indices {
                rest = rest << 8 | Int(number[index])
                number[index] = UInt8(rest / sides)
                rest %= sides
            }
            return rest + 1
        }
    }
}

extension ParleyRoll {
    /// The roll of a match; nil if the node does not know of it yet.
    package init?(_ roll: Match.Roll?, _ detail: RollDetail?, of seats: [UUID]) {
        guard let roll, let detail, detail.isOf(roll) else { return nil }
        let known = roll.seats.filter(seats.indices.contains)
        number = roll.number
        isOfEach = roll.kind != .open
        isShown = roll.kind != .hidden
        participants = known.map { seats[$0] }
        missing = detail.missing.filter(seats.indices.contains).map { seats[$0] }
        values = detail.values.reduce(into: [:]) { values, value in
            if seats.indices.contains(value.key) { values[seats[value.key]] = value.value }
        }
    }
}
