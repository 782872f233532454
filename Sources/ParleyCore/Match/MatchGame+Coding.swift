// The layout of the data directory, never on the wire: a map as in the protocol. Messages of before
// a restart have no time here.
extension MatchGame: CBORMap {
    /// The game as it is stored.
    package func encoded() -> [UInt8] { itemBytes }

    /// Decodes the bytes that `encoded` returns.
    package init(decoding bytes: Slice) throws(CodecError) { try self.init(item: bytes) }

    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        let isChecked = try map.field(1) { $0.isChecked }
        let legal = try map.optional(3) { $0.legal }
        let before = try map.optional(4) { $0.before }
        let offerer = try map.optional(5) { $0.offerer }
        self.init(
            legal: legal,
            isChecked: isChecked,
            before: before,
            offerer: offerer,
            violations: try map.list(6, count: 0...Self.violationsMax) { $0.violations }
        )
    }
}

// A byte string of its own, as the nesting of items has a limit.
extension MatchMove: CBORItem {
    func write(to writer: inout CBORWriter) {
        var own = CBORWriter()
        own.array(count: 5)
        head.write(to: &own)
        own.fixed(author)
        state.write(to: &own)
        own.fixed(hash)
        own.bool(isFirm)
        writer.byteString(own.finish())
    }

    init(from outer: inout CBORReader) throws(CodecError) {
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

extension MatchFault: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        guard let fault = MatchFault(rawValue: try reader.text(lengthMax: 32)) else {
            throw .outOfRange
        }
        self = fault
    }

    func write(to writer: inout CBORWriter) { writer.text(rawValue) }
}

extension MatchViolation: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        head = try map.field(1) { $0.head }
        author = try map.field(2) { $0.author }
        fault = try map.field(3) { $0.fault }
        base = try map.optional(4) { $0.base }
        move = try map.optional(5) { $0.move }
    }
}

extension Head: CBORItem {
    func write(to writer: inout CBORWriter) {
        writer.array(count: 5)
        dot.write(to: &writer)
        writer.unsigned(revision)
        writer.list(context)
        writer.fixed(tieBreak)
        writer.fixed(digest)
    }

    init(from reader: inout CBORReader) throws(CodecError) {
        try reader.openArray(of: 5)
        let dot = try Dot(from: &reader)
        let revision = try reader.unsigned()
        let context: [Dot] = try reader.list(count: 0...Limits.contextOrigins)
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
