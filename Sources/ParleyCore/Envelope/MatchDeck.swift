/// The cards that messages of a turn game have dealt from a deck whose order nobody knows.
///
/// All who are in shuffle and lock the deck, in the order of their seats, by additions to the game.
package struct MatchDeck: Sendable, Equatable {
    /// Ascends by one with each deck of the game, from 1 to `Limits.matchDecks`.
    package var number: UInt64
    /// The number of cards, 1 to `Limits.deckCards`.
    package var count: Int
    /// The seats that shuffle, ascending.
    package var seats: [Int]
    /// The seat that sees each of the first positions of the deck; nil where all see the card.
    package var dealt: [Int?]
    /// Whether the hand is over, so that everybody shows everything.
    package var isOver: Bool

    package init(
        number: UInt64,
        count: Int,
        seats: [Int],
        dealt: [Int?] = [],
        isOver: Bool = false
    ) {
        self.number = number
        self.count = count
        self.seats = seats
        self.dealt = dealt
        self.isOver = isOver
    }

    /// Whether the deck goes on with an earlier state: dealt cards stay as they are, except that an
    /// author may show the own ones.
    func goesOn(with other: MatchDeck, by author: Int?) -> Bool {
        (number, count, seats) == (other.number, other.count, other.seats)
            && dealt.count >= other.dealt.count && (isOver || !other.isOver)
            && zip(dealt, other.dealt).allSatisfy { $0 == $1 || $0 == nil && $1 == author }
    }

    /// The name of the deck, which differs from that of every other deck, also from a deck of the
    /// same number for which another message at the same moment calls.
    func id(
        in game: SessionUUID,
        of players: [ParticipantID],
        using crypto: some Cryptography
    ) -> Bytes32 {
        var input = [UInt8]("parley deck 1".utf8)
        game.value.append(to: &input)
        input.appendBigEndian(UInt32(truncatingIfNeeded: number))
        input.append(UInt8(truncatingIfNeeded: count))
        for player in players { player.value.append(to: &input) }
        return crypto.sha256(input)
    }
}

extension MatchDeck: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 5)
        number = try reader.unsigned(in: 1...Limits.matchDecks)
        count = Int(try reader.unsigned(in: 1...UInt64(Limits.deckCards)))
        seats = try reader.seats()
        let owners = try reader.packed(elementBytes: 1, countMax: count)
        dealt = []
        for index in 0..<owners.count {
            let seat = owners[index] == 0 ? nil : Int(owners[index]) - 1
            guard seat.map(seats.contains) ?? true else { throw .outOfRange }
            dealt.append(seat)
        }
        isOver = try reader.bool()
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 5)
        writer.unsigned(number)
        writer.unsigned(UInt64(count))
        writer.seats(seats)
        writer.byteString(dealt.map { $0.map { UInt8(truncatingIfNeeded: $0 + 1) } ?? 0 })
        writer.bool(isOver)
    }
}
