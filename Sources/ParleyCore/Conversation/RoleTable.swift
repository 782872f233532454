/// What the heads of a conversation are to the nodes, beside their content: moves of games, and
/// stickers and additions.
struct RoleTable: Sendable {
    /// The sessions that are on other messages and sessions.
    var sides = SideTable()
    var matches = MatchTable()
    /// The chains of the participants of games, from which rolls follow.
    var chains = ChainTable()
    /// The additions of the participants to the decks of games.
    var decks = DeckTable()
    /// The opened bodies that are still to be judged.
    private var due: Due?

    /// Boxed, as nearly always nothing is due.
    indirect enum Due: Sendable {
        /// A message of a game.
        case move(MatchState, hash: Bytes32, of: SessionUUID)
        /// An addition to the session of a game, which may have links of chains, or be against the
        /// rules.
        case addition(to: SessionUUID, RollReveal?, MatchFault?)
        /// Any other message.
        case other
    }

    /// Notes the role of a head.
    mutating func opened(
        _ body: MessageBody,
        _ head: Head,
        of session: Int32,
        by author: ParticipantID?,
        using crypto: some Cryptography
    ) {
        if let placement = body.placement {
            sides.place(head.dot, of: session, on: .message(placement.message))
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
            sides.place(head.dot, of: session, on: .session(side.session), kind: kind, by: author)
            if let exchange = Exchange(side) {
                sides.place(
                    exchange,
                    head.dot,
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
                fault(of: side, head, by: author, using: crypto)
            )
        case nil: break
        }
    }

    /// Takes the chains and the share of a deck in an addition, and returns what is wrong there.
    private mutating func fault(
        of side: SideMessage,
        _ head: Head,
        by author: ParticipantID,
        using crypto: some Cryptography
    ) -> MatchFault? {
        guard chains.take(side, head, by: author, using: crypto) else { return .chainBroken }
        guard let share = DeckShare(side) else { return nil }
        let fits = decks.take(
            share,
            head,
            to: side.session,
            in: side.slot,
            by: author,
            using: crypto.group
        )
        return fits ? nil : .deckBroken
    }

    /// Notes players whose additions do not fit a deck, and once all secrets are here, players
    /// whose steps do not follow from the own secret.
    ///
    /// - Returns: whether there are any that were not noted before.
    @discardableResult
    mutating func audit(
        _ game: SessionUUID,
        _ session: Int32,
        at now: Moment,
        using crypto: some Cryptography
    ) -> Bool {
        guard let legal = matches[session]?.legal,
            let round = DeckRound(in: legal, of: game, decks, using: crypto)
        else { return false }
        let quit = sides.authors(of: .quit, to: game)
        var seats = round.misfits
        if round.isShown(besides: quit, for: legal.author, isOwn: true) == true,
            decks.audits(game, round.deck, of: legal.state.seats, at: now)
        {
            seats += round.cheats
        }
        var isNews = false
        for author in seats.map({ legal.state.seats[$0] }) {
            guard let head = decks[game, round.deck.number, author]?.head,
                matches[session]?.violations.contains(where: { $0.head.dot == head.dot }) == false
            else { continue }
            matches.note(.deckBroken, of: head, by: author, to: session)
            isNews = true
        }
        return isNews
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
