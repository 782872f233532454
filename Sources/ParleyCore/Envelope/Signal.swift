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
    /// The content of a signal, of a kind that this version may not know.
    private struct Content: CBORMap {
        let kind: UInt64
        let session: SessionUUID

        init(_ signal: Signal) {
            kind = signal.kind.rawValue
            session = signal.session
        }

        init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
            kind = try map.field(1) { $0.kind }
            session = try map.field(3) { $0.session }
        }
    }

    /// Reads the content of a signal; nil for a kind that only a later version knows.
    init?(decoding content: Slice) throws(CodecError) {
        let content = try Content(item: content)
        guard let kind = Kind(rawValue: content.kind) else { return nil }
        self.init(kind, in: content.session)
    }

    package func encoded() -> [UInt8] { Content(self).itemBytes }
}
