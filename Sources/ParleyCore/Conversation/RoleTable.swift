/// What the heads of a conversation are to the nodes, beside their content: moves of games, and
/// stickers and additions.
struct RoleTable: Sendable {
    /// The sessions that are on other messages and sessions.
    var sides = SideTable()
    var matches = MatchTable()
    /// The chains of the participants of games, from which rolls follow.
    var chains = ChainTable()
    /// The opened bodies that are still to be judged.
    private var due: Due?

    /// Boxed, as nearly always nothing is due.
    indirect enum Due: Sendable {
        /// A message of a game.
        case move(MatchState, hash: Bytes32, of: SessionUUID)
        /// An addition to the session of a game; the reveal is nil for one of another kind.
        case addition(to: SessionUUID, RollReveal?, holds: Bool)
        /// Any other message.
        case other
    }

    /// Notes the role of a head.
    mutating func opened(
        _ body: MessageBody,
        _ head: Dot,
        of session: Int32,
        by author: ParticipantID?,
        using crypto: some Cryptography
    ) {
        if let placement = body.placement {
            sides.place(head, of: session, on: .message(placement.message))
        }
        switch body.role {
        case .match(let state):
            let hash = state.hash(with: body.url, using: crypto)
            due = .move(state.condensed(using: crypto), hash: hash, of: body.session)
        case .side(let side):
            // Only who owns the session adds something.
            guard let author, side.ownSession(of: author, using: crypto) == body.session else {
                return
            }
            let kind = UInt8(truncatingIfNeeded: side.kind)
            sides.place(head, of: session, on: .session(side.session), kind: kind, by: author)
            if let exchange = Exchange(side) {
                sides.place(
                    exchange,
                    head,
                    of: session,
                    slot: side.slot,
                    by: author,
                    to: side.session
                )
            }
            let isDraw = side.kind == SideMessage.Kind.draw.rawValue
            due = .addition(
                to: side.session,
                isDraw ? RollReveal(side.content) : nil,
                holds: chains.take(side, by: author, using: crypto)
            )
        case nil: break
        }
    }

    /// Whether a merge has to be judged.
    var isDue: Bool { due != nil || !matches.isEmpty }

    mutating func takeDue() -> Due {
        defer { due = nil }
        return due ?? .other
    }

    // MARK: Rows

    /// The game of a session as it is stored; nil without a game.
    func row(of session: Int32, heads: some Sequence<Dot>) -> [UInt8]? {
        matches.isEmpty ? nil : matches.row(of: session, heads: heads)
    }

    /// Takes the stored game of a session back, and forgets what its heads made due.
    mutating func recover(_ row: SessionRow, of session: Int32) {
        due = nil
        matches.recover(row.match, of: session, heads: row.heads)
    }
}
