package import Foundation

extension Match {
    /// A roll of dice that a message of a game calls for, or goes on with.
    public struct Roll: Hashable, Sendable, Codable {
        /// The kind of a roll.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            case open, hidden, shown
        }

        /// Who sees the roll.
        public var kind: Kind
        /// Ascends by one, from 2 to 256.
        public var number: Int
        /// The seats that are still in the game, ascending.
        public var seats: [Int]
        /// The seats that have a part in the roll; nil for all that are in.
        public var giving: [Int]?

        /// Makes a roll.
        public init(_ kind: Kind, number: Int, seats: [Int], giving: [Int]? = nil) {
            self.kind = kind
            self.number = number
            self.seats = seats
            self.giving = giving
        }
    }
}

/// What a node knows of the present roll of a game, as one participant may see it.
package struct RollDetail: Hashable, Sendable {
    package let kind: Match.Roll.Kind
    package let number: Int
    /// The values by seat, 32 bytes each; of a hidden roll only the participant's own.
    package let values: [Int: Data]
    /// The seats whose nodes have not given their part.
    package let missing: [Int]
    /// The addition that the participant's host has to send.
    package let due: Addition.Kind?

    package init(
        _ kind: Match.Roll.Kind,
        number: Int,
        values: [Int: Data],
        missing: [Int],
        due: Addition.Kind?
    ) {
        self.kind = kind
        self.number = number
        self.values = values
        self.missing = missing
        self.due = due
    }

    /// The same as everybody sees it.
    package var seenByAll: RollDetail {
        let values = kind == .hidden ? [:] : values
        return RollDetail(kind, number: number, values: values, missing: missing, due: nil)
    }

    /// Whether these are the values of a roll.
    package func isOf(_ roll: Match.Roll?) -> Bool {
        roll?.kind == kind && roll?.number == number
    }
}
