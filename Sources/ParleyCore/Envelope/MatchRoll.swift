/// A roll of dice that a message of a turn game calls for, or that is still to be answered.
///
/// Nobody sends a result: it follows from values of hash chains that were fixed before the game.
package struct MatchRoll: Sendable, Equatable {
    package enum Kind: UInt64, Sendable, CaseIterable {
        /// One value, which all see.
        case open
        /// One value for each seat, which only that seat sees.
        case hidden
        /// A hidden roll of before, which all see from now on.
        case shown
    }

    package var kind: Kind
    /// Ascends by one, from 2 to `Limits.matchRolls`: the link of the chains that is used.
    package var number: UInt64
    /// The seats that are still in, ascending; all others are out of the game.
    package var seats: [Int]
    /// The seats whose links make the value, ascending; all in `seats` for a hidden roll.
    package var giving: [Int]
    /// The links that answer the roll of the message before, in the order of its `giving`.
    package var answers: [Bytes32]

    /// Makes a roll that all of `seats` give to, unless `giving` names some of them.
    package init(
        _ kind: Kind,
        number: UInt64,
        seats: [Int],
        giving: [Int]? = nil,
        answers: [Bytes32] = []
    ) {
        self.kind = kind
        self.number = number
        self.seats = seats
        self.giving = giving ?? seats
        self.answers = answers
    }

    /// Whether this is the roll of a message that goes on with another one.
    func goesOn(with other: MatchRoll) -> Bool {
        number == other.number && seats == other.seats && giving == other.giving
    }
}

extension MatchState {
    /// Whether nothing was rolled since the message before.
    func hasRoll(of before: MatchState) -> Bool {
        guard let roll = chance.roll, let old = before.chance.roll else {
            return chance.roll == nil && before.chance.roll == nil
        }
        return roll.kind == old.kind && roll.goesOn(with: old)
    }
}

extension MatchRoll: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 5)
        guard let kind = Kind(rawValue: try reader.unsigned()) else { throw .outOfRange }
        let number = try reader.unsigned(in: 2...Limits.matchRolls)
        let seats = try reader.seats()
        let giving = try reader.seats()
        guard giving.allSatisfy(seats.contains), kind == .open || giving == seats else {
            throw .outOfRange
        }
        self.init(kind, number: number, seats: seats, giving: giving)
        answers = try reader.packed(count: 0...Limits.matchSeats)
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 5)
        writer.unsigned(kind.rawValue)
        writer.unsigned(number)
        writer.seats(seats)
        writer.seats(giving)
        writer.packed(answers)
    }
}
