extension MatchState: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        phase = try map.field(1) { $0.phase }
        base = try map.optional(2) { $0.base }
        let places = try map.field(3) { Places(size: $0.size, seats: $0.seats) }
        (size, seats) = (places.size, places.seats)
        turn = try map.seats(4) { $0.turn }
        clock = try map.optional(6, in: Limits.clockSeconds) { $0.clock }
        outcomes = try map.listUnlessEmpty(8, countMax: Limits.matchSeats) { $0.outcomes }
        claim = try map.optional(10) { $0.claim }
        previous = try map.optional(12) { $0.previous }
        undone = try map.optional(14) { $0.undone }
        let overruledMax = Limits.overruledMessages
        overruled = try map.packedUnlessEmpty(16, countMax: overruledMax) { $0.overruled }
        parts = try map.listUnlessEmpty(18, countMax: Limits.matchParts) { $0.parts }
        let roll = try map.optional(20) { $0.chance.roll }
        mayUndo = try map.flag(22) { $0.mayUndo }
        settled = try map.packedUnlessEmpty(24, countMax: Limits.settledExchanges) { $0.settled }
        chance = MatchChance(roll: roll, deck: try map.optional(26) { $0.chance.deck })
        try map.check(settlesOneOfEach, else: .notAscending)
        try map.check(namesSeats, else: .outOfRange)
    }

    /// Whether other nodes can read the state, as it has no values that a message may not have.
    var isReadable: Bool {
        do { _ = try Self(item: Slice(itemBytes)) } catch { return false }
        return true
    }

    /// Whether each origin has one settled offer, and the origins ascend.
    private var settlesOneOfEach: Bool {
        zip(settled, settled.dropFirst()).allSatisfy { $0.origin < $1.origin }
    }

    /// Whether all seats that are named are there, and no more links than seats.
    private var namesSeats: Bool {
        let (roll, deck) = (chance.roll, chance.deck)
        let named = turn + parts.flatMap { [$0.to, $0.by] } + (deck?.seats ?? [])
        let rolling = roll.map { $0.seats + $0.giving } ?? []
        let links = roll?.answers.count ?? 0
        return (named + rolling).allSatisfy(seats.indices.contains) && links <= seats.count
    }
}

extension MatchState.Phase: CBORItem {}

extension MapCoder {
    /// The numbers of seats, ascending, whose key is left out if there are none.
    fileprivate mutating func seats(
        _ key: UInt64,
        _ value: (Body) -> [Int]
    ) throws(Failure) -> [Int] {
        try unlessEmpty(key, value) {
            reader throws(CodecError) in
            try reader.seats()
        } write: {
            $1.seats($0)
        }
    }
}

extension CBORReader {
    /// The number of a seat.
    mutating func seat() throws(CodecError) -> Int {
        Int(try unsigned(in: 0...UInt64(Limits.matchSeats - 1)))
    }

    /// The numbers of seats, ascending, of which there is one.
    mutating func seats() throws(CodecError) -> [Int] {
        var seats: [Int] = []
        for _ in 0..<(try openList(countMax: Limits.matchSeats)) {
            let seat = try seat()
            if let last = seats.last, last >= seat { throw .notAscending }
            seats.append(seat)
        }
        closeArray()
        return seats
    }
}

extension CBORWriter {
    /// An array of the numbers of seats.
    mutating func seats(_ seats: [Int]) {
        array(count: seats.count)
        for seat in seats { unsigned(UInt64(seat)) }
    }
}

/// The seats of a game, and how many there may be.
private struct Places: CBORItem {
    let size: ClosedRange<Int>
    let seats: [ParticipantID]

    init(size: ClosedRange<Int>, seats: [ParticipantID]) {
        self.size = size
        self.seats = seats
    }

    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 3)
        let most = UInt64(Limits.matchSeats)
        let least = try reader.unsigned(in: 1...most)
        size = Int(least)...Int(try reader.unsigned(in: least...most))
        seats = try reader.packed(count: 0...size.upperBound)
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.unsigned(UInt64(size.lowerBound))
        writer.unsigned(UInt64(size.upperBound))
        writer.packed(seats)
    }
}

extension MatchOutcome: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 3)
        guard let result = Result(rawValue: try reader.unsigned()) else { throw .outOfRange }
        let place = try reader.unsigned(in: 0...UInt64(Limits.matchSeats))
        self.init(result, place: place, score: try reader.signed())
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.unsigned(result.rawValue)
        writer.unsigned(place)
        writer.signed(score)
    }
}

extension MatchClaim: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 2)
        let message = try Dot(from: &reader)
        guard let action = Action(rawValue: try reader.unsigned()) else { throw .outOfRange }
        self.init(action, after: message)
        reader.closeArray()
    }

    func write(to writer: inout CBORWriter) {
        writer.array(count: 2)
        message.write(to: &writer)
        writer.unsigned(action.rawValue)
    }
}
