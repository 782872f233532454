extension MatchState {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        guard let phase = Phase(rawValue: try reader.unsigned()) else { throw .outOfRange }
        self.phase = phase
        base = try reader.seek(2, in: &map) ? Dot(from: &reader) : nil
        try reader.require(3, in: &map)
        (size, seats) = try Self.readSeats(from: &reader)
        turn = try reader.seek(4, in: &map) ? Self.readTurn(of: seats.count, from: &reader) : []
        clock = try reader.seek(6, in: &map) ? reader.unsigned(in: Limits.clockSeconds) : nil
        outcomes = try reader.seek(8, in: &map) ? Self.readOutcomes(from: &reader) : []
        claim = try reader.seek(10, in: &map) ? MatchClaim(from: &reader) : nil
        previous = try reader.seek(12, in: &map) ? reader.fixed() : nil
        undone = try reader.seek(14, in: &map) ? Dot(from: &reader) : nil
        overruled =
            try reader.seek(16, in: &map)
            ? Self.readDots(countMax: Limits.overruledMessages, from: &reader) : []
        parts = try reader.seek(18, in: &map) ? Self.readParts(of: seats.count, from: &reader) : []
        let roll = try reader.seek(20, in: &map) ? MatchRoll(of: seats.count, from: &reader) : nil
        mayUndo = try reader.seek(22, in: &map) ? reader.flag() : false
        settled = try reader.seek(24, in: &map) ? Self.readSettled(from: &reader) : []
        let deck = try reader.seek(26, in: &map) ? MatchDeck(of: seats.count, from: &reader) : nil
        chance = MatchChance(roll: roll, deck: deck)
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(phase.rawValue)
        if let base {
            writer.key(2, in: &map)
            base.write(to: &writer)
        }
        writer.key(3, in: &map)
        writer.array(count: 3)
        writer.unsigned(UInt64(size.lowerBound))
        writer.unsigned(UInt64(size.upperBound))
        writer.byteStringHead(count: ParticipantID.count * seats.count)
        for participant in seats { writer.raw(participant) }
        if !turn.isEmpty {
            writer.key(4, in: &map)
            writer.array(count: turn.count)
            for seat in turn { writer.unsigned(UInt64(seat)) }
        }
        if let clock {
            writer.key(6, in: &map)
            writer.unsigned(clock)
        }
        if !outcomes.isEmpty {
            writer.key(8, in: &map)
            writer.array(count: outcomes.count)
            for outcome in outcomes { outcome.write(to: &writer) }
        }
        if let claim {
            writer.key(10, in: &map)
            writer.array(count: 2)
            claim.message.write(to: &writer)
            writer.unsigned(claim.action.rawValue)
        }
        if let previous {
            writer.key(12, in: &map)
            writer.fixed(previous)
        }
        if let undone {
            writer.key(14, in: &map)
            undone.write(to: &writer)
        }
        if !overruled.isEmpty {
            writer.key(16, in: &map)
            Self.write(overruled, to: &writer)
        }
        writeRest(in: &map, to: &writer)
        writer.closeMap(map)
    }

    private static func write(_ dots: [Dot], to writer: inout CBORWriter) {
        writer.byteStringHead(count: Dot.packedBytes * dots.count)
        for dot in dots {
            writer.raw(dot.origin)
            writer.raw(dot.sequence)
        }
    }

    /// Writes what has keys from 18 on.
    private func writeRest(in map: inout CBORWriter.Map, to writer: inout CBORWriter) {
        if !parts.isEmpty {
            writer.key(18, in: &map)
            writer.array(count: parts.count)
            for part in parts { part.write(to: &writer) }
        }
        if let roll = chance.roll {
            writer.key(20, in: &map)
            roll.write(to: &writer)
        }
        if mayUndo {
            writer.key(22, in: &map)
            writer.bool(true)
        }
        if !settled.isEmpty {
            writer.key(24, in: &map)
            Self.write(settled, to: &writer)
        }
        if let deck = chance.deck {
            writer.key(26, in: &map)
            deck.write(to: &writer)
        }
    }

    private static func readSeats(
        from reader: inout CBORReader
    ) throws(CodecError) -> (ClosedRange<Int>, [ParticipantID]) {
        try reader.openArray(of: 3)
        let most = UInt64(Limits.matchSeats)
        let least = try reader.unsigned(in: 1...most)
        let size = least...(try reader.unsigned(in: least...most))
        let packed = try reader.packed(
            elementBytes: ParticipantID.count,
            countMax: Int(size.upperBound)
        )
        reader.closeArray()
        let seats = stride(from: 0, to: packed.count, by: ParticipantID.count).map {
            ParticipantID(reading: packed, at: $0)
        }
        return (Int(size.lowerBound)...Int(size.upperBound), seats)
    }

    /// Reads a list of seats, ascending, of which there is one.
    static func readTurn(
        of seats: Int,
        from reader: inout CBORReader
    ) throws(CodecError) -> [Int] {
        var turn: [Int] = []
        for _ in 0..<(try reader.openList(countMax: seats)) {
            let seat = Int(try reader.unsigned(in: 0...UInt64(Limits.matchSeats)))
            guard seat < seats else { throw .outOfRange }
            if let last = turn.last, last >= seat { throw .notAscending }
            turn.append(seat)
        }
        reader.closeArray()
        return turn
    }

    private static func readOutcomes(
        from reader: inout CBORReader
    ) throws(CodecError) -> [MatchOutcome] {
        var outcomes: [MatchOutcome] = []
        for _ in 0..<(try reader.openList(countMax: Limits.matchSeats)) {
            outcomes.append(try MatchOutcome(from: &reader))
        }
        reader.closeArray()
        return outcomes
    }

    /// Reads the settled offers, of which each origin has one.
    private static func readSettled(
        from reader: inout CBORReader
    ) throws(CodecError) -> [Dot] {
        let dots = try readDots(countMax: Limits.settledExchanges, from: &reader)
        for (dot, next) in zip(dots, dots.dropFirst()) where dot.origin >= next.origin {
            throw .notAscending
        }
        return dots
    }

    private static func readDots(
        countMax: Int,
        from reader: inout CBORReader
    ) throws(CodecError) -> [Dot] {
        let packed = try reader.packed(elementBytes: Dot.packedBytes, countMax: countMax)
        guard !packed.isEmpty else { throw .wrongLength }
        var dots: [Dot] = []
        for offset in stride(from: 0, to: packed.count, by: Dot.packedBytes) {
            dots.append(try Dot(packed: packed, at: offset))
        }
        return dots
    }
}

extension MatchOutcome {
    fileprivate init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 3)
        guard let result = Result(rawValue: try reader.unsigned()) else { throw .outOfRange }
        let place = try reader.unsigned(in: 0...UInt64(Limits.matchSeats))
        self.init(result, place: place, score: try reader.signed())
        reader.closeArray()
    }

    fileprivate func write(to writer: inout CBORWriter) {
        writer.array(count: 3)
        writer.unsigned(result.rawValue)
        writer.unsigned(place)
        writer.signed(score)
    }
}

extension MatchClaim {
    fileprivate init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 2)
        let message = try Dot(from: &reader)
        guard let action = Action(rawValue: try reader.unsigned()) else { throw .outOfRange }
        self.init(action, after: message)
        reader.closeArray()
    }
}
