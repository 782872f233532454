/// Judges the messages of turn games, and what is added to them.
extension ConversationTable {
    /// Judges a message that was just merged, if it concerns a game.
    @inline(__always)
    mutating func judge(
        _ arrival: Arrival,
        in index: Int,
        at now: Moment,
        isLive: Bool,
        using crypto: some Cryptography
    ) {
        guard self[index].roles.isDue else { return }
        judgeDue(arrival, in: index, at: now, isLive: isLive, using: crypto)
    }

    private mutating func judgeDue(
        _ arrival: Arrival,
        in index: Int,
        at now: Moment,
        isLive: Bool,
        using crypto: some Cryptography
    ) {
        let due = self[index].roles.takeDue()
        let tag = arrival.header.tag
        guard let session = arrival.session ?? self[index].sessionNumber(tag),
            let author = self[index].author(of: arrival.head.dot.origin)?.participant
        else { return }
        switch due {
        case .move(let state, let hash, let uuid):
            let move = MatchMove(
                arrival.head,
                by: author,
                state,
                hash: hash,
                storedAt: isLive ? now : nil
            )
            var judge = Judge(move, of: uuid, session, in: self[index], at: now, using: crypto)
            judge.isTooLong = arrival.items.body.count > Limits.matchBytes
            let body = rules.flatMap { _ in self[index].open(arrival.place.bytes, using: crypto) }
            judge.askRules(body, of: uuid, session, in: self[index], using: crypto)
            self[index].roles.matches.take(judge, of: session, envelope: arrival.place.bytes)
            self[index].roles.audit(uuid, session, at: now, using: crypto)
            judgeReveals(in: uuid, session, in: index)
        case .addition(let uuid, let reveal, let fault):
            let number = GameRolls(in: self[index]).number(of: uuid, using: crypto)
            guard let game = number else { return }
            if self[index].roles.audit(uuid, game, at: now, using: crypto) {
                changed(game, in: index)
            }
            judge(reveal, fault, arrival.head, by: author, to: game, in: index)
            judgeAnswers(to: uuid, game, in: index)
            judgeAgain(uuid, game, in: index, at: now, using: crypto)
        case .other:
            let shown = self[index].sessions[Int(session)].register.heads.first?.dot
            guard shown == arrival.head.dot else { return }
            self[index].roles.matches.takeOther(
                arrival.head,
                of: session,
                by: author,
                isEnd: arrival.header.isTombstone
            )
        }
    }

    /// Judges what somebody reveals for a roll.
    private mutating func judge(
        _ reveal: RollReveal?,
        _ fault: MatchFault?,
        _ head: Head,
        by author: ParticipantID,
        to session: Int32,
        in index: Int
    ) {
        guard let found = self[index].roles.matches[session] else { return }
        let isEarly = reveal.map { found.isEarly($0, by: author) } ?? false
        guard let fault = fault ?? (isEarly ? .revealedEarly : nil) else { return }
        self[index].roles.matches.note(fault, of: head, by: author, to: session)
        changed(session, in: index)
    }

    /// Judges links that were given for the last legal message before the message was here.
    private mutating func judgeReveals(in game: SessionUUID, _ session: Int32, in index: Int) {
        guard let found = self[index].roles.matches[session], let legal = found.legal else {
            return
        }
        for given in self[index].roles.chains.given(for: legal.dot, in: game)
        where !found.violations.contains(where: { $0.head.dot == given.head.dot }) {
            judge(given.reveal, nil, given.head, by: given.author, to: session, in: index)
        }
    }

    /// Notes who has answered an exchange without being asked; the answer may have come first.
    private mutating func judgeAnswers(to game: SessionUUID, _ session: Int32, in index: Int) {
        let exchanges = GameExchanges(of: game, in: self[index])
        let unasked = exchanges.unasked
        guard !unasked.isEmpty, let found = self[index].roles.matches[session],
            let legal = found.legal
        else { return }
        for dot in unasked {
            guard let answer = exchanges[dot], legal.state.seats.contains(answer.author),
                !found.violations.contains(where: { $0.head.dot == dot }),
                let head = self[index].sessions[Int(answer.session)].register.heads
                    .first(where: { $0.dot == dot })
            else { continue }
            self[index].roles.matches.note(.notAsked, of: head, by: answer.author, to: session)
            changed(session, in: index)
        }
    }

    /// Judges the messages of all games again which an addition may allow that was left out.
    mutating func judgeAgain(in index: Int, _ now: Moment, _ crypto: some Cryptography) {
        for session in self[index].roles.matches.sessions {
            let game = self[index].sessions[Int(session)].shownLine?.session
            if let game { judgeAgain(game, session, in: index, at: now, using: crypto) }
        }
    }

    /// Judges the messages of a game again that an addition may allow.
    private mutating func judgeAgain(
        _ game: SessionUUID,
        _ session: Int32,
        in index: Int,
        at now: Moment,
        using crypto: some Cryptography
    ) {
        guard let excusable = self[index].roles.matches[session]?.excusable else { return }
        var hasChanged = false
        for move in excusable {
            var judge = Judge(
                move,
                of: game,
                session,
                in: self[index],
                at: move.storedAt ?? now,
                using: crypto
            )
            let envelope = self[index].sessions[Int(session)].record(of: move.dot)?.envelope
            let body = envelope.flatMap { self[index].open($0, using: crypto) }
            judge.askRules(body, of: game, session, in: self[index], using: crypto)
            if self[index].roles.matches.takeAgain(judge, of: session, envelope: envelope) {
                hasChanged = true
            }
        }
        guard hasChanged else { return }
        judgeReveals(in: game, session, in: index)
        changed(session, in: index)
    }
}

extension Judge {
    /// The judge of a message of the session `uuid`, which has a number if it is here.
    init(
        _ move: MatchMove,
        of uuid: SessionUUID,
        _ session: Int32?,
        in conversation: Conversation,
        at now: Moment,
        isOwn: Bool = false,
        using crypto: some Cryptography
    ) {
        let (roles, numbers) = (conversation.roles, conversation.sessions.numbers)
        self.init(
            move,
            in: session.flatMap { roles.matches[$0] } ?? MatchGame(),
            at: now,
            isOwn: isOwn
        )
        joined = roles.sides.authors(of: .seat, to: uuid)
        quit = roles.sides.authors(of: .quit, to: uuid)
        if !isOwn { leftOut = move.state.seats.filter(conversation.leftOut.contains) }
        if let links = move.state.chance.roll?.answers, case .after(let base) = game.base(of: move),
            let old = base.state.chance.roll, base.state.seats == move.state.seats
        {
            let chains = roles.chains.chains(of: uuid)
            let seats = old.answering(in: move.state, quit)
            let certain = old.answering(in: move.state, quitOrLeftOut)
            isAnswered = RollTable(game: uuid, chains: chains, crypto: crypto)
                .isAnswered(
                    old,
                    by: links,
                    of: seats,
                    leftOut: leftOut,
                    absent: seats.filter { !certain.contains($0) }
                )
        }
        if case .after(let base) = game.base(of: move), let new = move.state.chance.deck,
            let round = DeckRound(in: base, of: uuid, roles.decks, using: crypto),
            new.number > round.deck.number
        {
            isDeckShown = round.isShown(
                besides: quit,
                for: move.author,
                isOwn: isOwn,
                isLeftOut: leftOut.contains(move.author)
            )
        }
        isSettled = settles(of: uuid, in: conversation, using: crypto)
        seatsBefore = move.state.previous.flatMap { conversation.tag(of: $0, using: crypto) }
            .flatMap { numbers[$0] }.flatMap { roles.matches[$0]?.end?.seats }
    }
}

extension Judge {
    /// Whether the exchanges that the message settles, and base did not, are answered.
    private func settles(
        of uuid: SessionUUID,
        in conversation: Conversation,
        using crypto: some Cryptography
    ) -> Bool? {
        guard !state.settled.isEmpty, case .after(let base) = game.base(of: move) else {
            return true
        }
        let exchanges = GameExchanges(of: uuid, in: conversation)
        var settles: Bool? = true
        for offer in state.settled where !base.state.settled.contains(offer) {
            // An author cannot settle what the author has not written yet.
            if offer.origin == move.dot.origin, offer.sequence > move.dot.sequence { return false }
            let isSettled = exchanges.isSettled(
                offer,
                state.seats,
                quit: quit,
                by: conversation.author(of: offer.origin)?.participant
            ) { kind, slot, participant in
                if leftOut.contains(participant) { return true }
                let side = SideMessage(to: uuid, kind, slot: UInt64(slot), content: .empty)
                let own = side.ownSession(of: participant, using: crypto)
                return conversation.tag(of: own, using: crypto)
                    .flatMap { conversation.sessions.numbers[$0] }
                    .map { !conversation.sessions[Int($0)].heads.isEmpty } ?? false
            }
            if isSettled == false { return false }
            if isSettled == nil { settles = nil }
        }
        return settles
    }
}
