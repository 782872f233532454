// The layout of the data directory, never on the wire: a map as in the protocol. Of heads only what
// gives their order is kept, and messages of before a restart have no time here.
extension MatchGame {
    /// The game as it is stored.
    package func encoded() -> [UInt8] {
        var writer = CBORWriter()
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.bool(isChecked)
        writer.key(2, in: &map)
        writer.bool(isFirm)
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
        try reader.require(2, in: &map)
        let isFirm = try reader.bool()
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
            isFirm: isFirm,
            before: before,
            offerer: offerer,
            violations: violations
        )
    }
}

extension MatchMove {
    fileprivate func write(to writer: inout CBORWriter) {
        writer.array(count: 4)
        head.writeOrder(to: &writer)
        writer.fixed(author)
        state.write(to: &writer)
        writer.fixed(hash)
    }

    fileprivate init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 4)
        let head = try Head(orderFrom: &reader)
        let author: ParticipantID = try reader.fixed()
        let state = try MatchState(from: &reader)
        self.init(head, by: author, state, hash: try reader.fixed(), storedAt: nil)
        reader.closeArray()
    }
}

extension MatchViolation {
    fileprivate func write(to writer: inout CBORWriter) {
        writer.array(count: base == nil ? 3 : 4)
        head.writeOrder(to: &writer)
        writer.fixed(author)
        writer.text(fault.rawValue)
        base?.write(to: &writer)
    }

    fileprivate init(from reader: inout CBORReader) throws(CodecError) {
        let count = try reader.openArray(countMax: 4)
        guard count >= 3 else { throw .wrongLength }
        head = try Head(orderFrom: &reader)
        author = try reader.fixed()
        guard let fault = MatchFault(rawValue: try reader.text(lengthMax: 32)) else {
            throw .outOfRange
        }
        self.fault = fault
        base = count == 4 ? try Dot(from: &reader) : nil
        move = nil
        reader.closeArray()
    }
}

extension Head {
    fileprivate func writeOrder(to writer: inout CBORWriter) {
        writer.array(count: 4)
        dot.write(to: &writer)
        writer.unsigned(revision)
        writer.fixed(tieBreak)
        writer.fixed(digest)
    }

    fileprivate init(orderFrom reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 4)
        let dot = try Dot(from: &reader)
        let revision = try reader.unsigned()
        let tieBreak: Bytes16 = try reader.fixed()
        self.init(
            dot: dot,
            revision: revision,
            context: [],
            tieBreak: tieBreak,
            digest: try reader.fixed()
        )
        reader.closeArray()
    }
}
