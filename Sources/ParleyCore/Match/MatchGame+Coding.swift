// The layout of the data directory, never on the wire: a map as in the protocol. Messages of before
// a restart have no time here.
extension MatchGame {
    /// The game as it is stored.
    package func encoded() -> [UInt8] {
        var writer = CBORWriter()
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.bool(isChecked)
        if let legal {
            writer.key(3, in: &map)
            legal.write(to: &writer)
        }
        if let before {
            writer.key(4, in: &map)
            before.write(to: &writer)
        }
        if let offerer {
            writer.key(5, in: &map)
            writer.fixed(offerer)
        }
        writer.key(6, in: &map)
        writer.array(count: violations.count)
        for violation in violations { violation.write(to: &writer) }
        writer.closeMap(map)
        return writer.finish()
    }

    /// Decodes the bytes that `encoded` returns.
    package init(decoding bytes: Slice) throws(CodecError) {
        var reader = CBORReader(bytes)
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        let isChecked = try reader.bool()
        let legal = try reader.seek(3, in: &map) ? MatchMove(from: &reader) : nil
        let before = try reader.seek(4, in: &map) ? MatchMove(from: &reader) : nil
        let offerer: ParticipantID? = try reader.seek(5, in: &map) ? reader.fixed() : nil
        try reader.require(6, in: &map)
        var violations: [MatchViolation] = []
        for _ in 0..<(try reader.openArray(countMax: Self.violationsMax)) {
            violations.append(try MatchViolation(from: &reader))
        }
        reader.closeArray()
        try reader.closeMap(&map)
        try reader.finish()
        self.init(
            legal: legal,
            isChecked: isChecked,
            before: before,
            offerer: offerer,
            violations: violations
        )
    }
}

// A byte string of its own, as the nesting of items has a limit.
extension MatchMove {
    fileprivate func write(to writer: inout CBORWriter) {
        var own = CBORWriter()
        own.array(count: 5)
        head.write(to: &own)
        own.fixed(author)
        state.write(to: &own)
        own.fixed(hash)
        own.bool(isFirm)
        writer.byteString(own.finish())
    }

    fileprivate init(from outer: inout CBORReader) throws(CodecError) {
        var reader = CBORReader(try outer.byteString(lengthMax: Limits.sessionBytes))
        try reader.openArray(of: 5)
        let head = try Head(from: &reader)
        let author: ParticipantID = try reader.fixed()
        let state = try MatchState(from: &reader)
        self.init(head, by: author, state, hash: try reader.fixed(), storedAt: nil)
        isFirm = try reader.bool()
        reader.closeArray()
        try reader.finish()
    }
}

extension MatchViolation {
    fileprivate func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        head.write(to: &writer)
        writer.key(2, in: &map)
        writer.fixed(author)
        writer.key(3, in: &map)
        writer.text(fault.rawValue)
        if let base {
            writer.key(4, in: &map)
            base.write(to: &writer)
        }
        if let move {
            writer.key(5, in: &map)
            move.write(to: &writer)
        }
        writer.closeMap(map)
    }

    fileprivate init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        head = try Head(from: &reader)
        try reader.require(2, in: &map)
        author = try reader.fixed()
        try reader.require(3, in: &map)
        guard let fault = MatchFault(rawValue: try reader.text(lengthMax: 32)) else {
            throw .outOfRange
        }
        self.fault = fault
        base = try reader.seek(4, in: &map) ? Dot(from: &reader) : nil
        move = try reader.seek(5, in: &map) ? MatchMove(from: &reader) : nil
        try reader.closeMap(&map)
    }
}

extension Head {
    fileprivate func write(to writer: inout CBORWriter) {
        writer.array(count: 5)
        dot.write(to: &writer)
        writer.unsigned(revision)
        writer.array(count: context.count)
        for dot in context { dot.write(to: &writer) }
        writer.fixed(tieBreak)
        writer.fixed(digest)
    }

    fileprivate init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 5)
        let dot = try Dot(from: &reader)
        let revision = try reader.unsigned()
        var context: [Dot] = []
        for _ in 0..<(try reader.openArray(countMax: Limits.contextOrigins)) {
            context.append(try Dot(from: &reader))
        }
        reader.closeArray()
        let tieBreak: Bytes16 = try reader.fixed()
        self.init(
            dot: dot,
            revision: revision,
            context: context,
            tieBreak: tieBreak,
            digest: try reader.fixed()
        )
        reader.closeArray()
    }
}
