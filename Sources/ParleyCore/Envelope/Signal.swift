/// The present activity of a participant, which members are told and no node keeps.
package struct Signal: Sendable, Equatable {
    package enum Kind: UInt64, Sendable, CaseIterable {
        /// The author has the game of the session open.
        case atBoard = 1
        /// Whoever is next in the game is asked to move.
        case nudge = 2
        /// The author has closed the game again.
        case awayFromBoard = 4
    }

    package let kind: Kind
    package let session: SessionUUID

    package init(_ kind: Kind, in session: SessionUUID) {
        self.kind = kind
        self.session = session
    }
}

extension Signal {
    /// Reads the content of a signal; nil for a kind that only a later version knows.
    init?(decoding content: Slice) throws(CodecError) {
        var reader = CBORReader(content)
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        let number = try reader.unsigned()
        try reader.require(3, in: &map)
        session = try reader.fixed()
        try reader.closeMap(&map)
        try reader.finish()
        guard let kind = Kind(rawValue: number) else { return nil }
        self.kind = kind
    }

    package func encoded() -> [UInt8] {
        var writer = CBORWriter()
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(kind.rawValue)
        writer.key(3, in: &map)
        writer.fixed(session)
        writer.closeMap(map)
        return writer.finish()
    }
}
