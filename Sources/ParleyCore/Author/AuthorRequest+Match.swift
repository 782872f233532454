/// What the node fills in and refuses in messages of turn games and in additions to them.
extension AuthorRequest {
    /// Names the message before, answers its roll, and gives links of the author's chains.
    ///
    /// - Throws: `notPlayable` if no link is to be revealed, or a part is for a seat that is not
    ///   there.
    mutating func complete(
        by author: Seat,
        _ tag: SessionTag,
        in conversation: Conversation,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) throws(AuthorRefusal) {
        guard isJudged else { return follow(tag, in: conversation) }
        switch body.role {
        case .match:
            follow(tag, in: conversation)
            answer(tag, in: conversation, using: crypto)
            try seal(by: author, in: conversation, using: crypto, random: &random)
        case .side(var side) where side.kind == SideMessage.Kind.seat.rawValue:
            let steps = ChainSteps(side.session, of: author.author.participant, using: crypto)
            side.content = steps.seat(guest: author.guest?.seed)
            body.role = .side(side)
        case .side(var side) where side.kind == SideMessage.Kind.draw.rawValue:
            let rolls = GameRolls(in: conversation)
            guard let reveal = rolls.reveal(for: side.session, by: author, using: crypto)
            else { throw AuthorRefusal(.notPlayable(.revealedEarly)) }
            side.content = reveal.encoded()
            body.role = .side(side)
        case .side(var side) where side.kind == SideMessage.Kind.deck.rawValue:
            let due = GameRolls(in: conversation)
                .share(
                    for: side.session,
                    by: author.author.participant,
                    guest: author.guest?.seed,
                    using: crypto
                )
            // The slot is a part of the session of the addition, which is known already.
            guard let due, side.slot == due.slot else {
                throw AuthorRefusal(.notPlayable(.revealedEarly))
            }
            side.content = due.share.encoded()
            body.role = .side(side)
        default: break
        }
    }

    /// Names the message before in one of a turn game.
    private mutating func follow(_ tag: SessionTag, in conversation: Conversation) {
        guard case .match(var state) = body.role, state.base == nil else { return }
        let session = conversation.sessions.numbers[tag]
        state.base = session.flatMap { conversation.roles.matches[$0]?.legal?.dot }
        body.role = .match(state)
    }

    /// Answers the roll of the message before.
    private mutating func answer(
        _ tag: SessionTag,
        in conversation: Conversation,
        using crypto: some Cryptography
    ) {
        guard case .match(var state) = body.role, state.chance.roll != nil,
            let session = conversation.sessions.numbers[tag],
            let legal = conversation.roles.matches[session]?.legal,
            let old = legal.state.chance.roll
        else { return }
        let quit = conversation.roles.sides.authors(of: .quit, to: body.session)
        let chains = conversation.roles.chains.chains(of: body.session)
        let seats = old.answering(in: state, quit)
        state.chance.roll?.answers =
            RollTable(game: body.session, chains: chains, crypto: crypto)
            .answers(to: old, of: seats) ?? []
        body.role = .match(state)
    }

    /// Seals the parts, each in place of an earlier one of the same author for the same seat.
    private mutating func seal(
        by author: Seat,
        in conversation: Conversation,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) throws(AuthorRefusal) {
        guard !parts.isEmpty, case .match(var state) = body.role else { return }
        for draft in parts {
            let part = GameParts(in: conversation)
                .sealed(
                    draft,
                    of: body.session,
                    in: state.seats,
                    by: author,
                    using: crypto,
                    random: &random
                )
            guard let part else { throw AuthorRefusal(.notPlayable(.seatNotTaken)) }
            state.parts.removeAll { ($0.to, $0.by) == (part.to, part.by) }
            state.parts.append(part)
        }
        state.parts.removeFirst(max(0, state.parts.count - Limits.matchParts))
        body.role = .match(state)
    }

    /// Judges a message of a turn game, or any message in the session of one.
    ///
    /// - Throws: `notPlayable`.
    func judge(
        by author: Seat,
        _ replacement: Replacement,
        of tag: SessionTag,
        in conversation: Conversation,
        at now: Moment,
        using crypto: some Cryptography
    ) throws(AuthorRefusal) {
        guard isJudged else { return }
        let session = conversation.sessions.numbers[tag]
        let participant = author.author.participant
        guard case .match(let state) = body.role else {
            let game = session.flatMap { conversation.roles.matches[$0] }
            let mayEnd = isTombstone && game?.mayEnd(participant) == true
            if game?.legal != nil, !mayEnd { throw AuthorRefusal(.notPlayable(.noGame)) }
            guard case .side(let side) = body.role, case .answer(let offer)? = Exchange(side) else {
                return
            }
            let exchanges = GameExchanges(of: side.session, in: conversation)
            let isAsked = exchanges.asked(by: offer)?.contains(participant) ?? true
            guard isAsked || exchanges[offer]?.author == participant else {
                throw AuthorRefusal(.notPlayable(.notAsked))
            }
            return
        }
        let head = Head(
            dot: Dot(origin: author.origin, sequence: conversation.ownSequences.next),
            revision: replacement.revision,
            context: replacement.context,
            tieBreak: .zero,
            digest: .zero
        )
        let hash = state.hash(with: body.url, using: crypto)
        let move = MatchMove(
            head,
            by: participant,
            state.condensed(using: crypto),
            hash: hash,
            storedAt: now
        )
        var judge = Judge(
            move,
            of: body.session,
            session,
            in: conversation,
            at: now,
            isOwn: true,
            using: crypto
        )
        judge.askRules(body, of: body.session, session, in: conversation, using: crypto)
        if case .against(let fault) = judge.verdict() { throw AuthorRefusal(.notPlayable(fault)) }
        // Elsewhere a message that nobody can read is one of no game.
        guard state.isReadable else {
            throw AuthorRefusal(.malformed("no node can read the state of the game"))
        }
    }
}
