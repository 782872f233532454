/// The rolls and decks of a conversation's games, as this node's participants see them.
package struct GameRolls {
    private let conversation: Conversation

    package init(in conversation: Conversation) {
        self.conversation = conversation
    }

    /// The roll of a game; nil if there is none.
    ///
    /// The participant is this device or one of its guests; others see what watchers see.
    package func roll(
        of game: SessionUUID,
        for participant: ParticipantID,
        using crypto: some Cryptography
    ) -> RollView? {
        guard let state = legal(of: game, using: crypto)?.state, let roll = state.chance.roll else {
            return nil
        }
        let guest = conversation.origins.seats.seat(of: participant)?.guest
        let isOwn = guest != nil || participant == conversation.keys.ownParticipant
        return table(of: game, using: crypto)
            .view(of: roll, in: state.seats, by: isOwn ? participant : nil, guest: guest?.seed)
    }

    /// The links that an author has to reveal for the roll of a game; nil if there is none.
    func reveal(
        for game: SessionUUID,
        by author: Seat,
        using crypto: some Cryptography
    ) -> RollReveal? {
        guard let legal = legal(of: game, using: crypto), let roll = legal.state.chance.roll else {
            return nil
        }
        return table(of: game, using: crypto)
            .reveal(
                for: roll,
                of: legal.dot,
                in: legal.state.seats,
                by: author.author.participant,
                guest: author.guest?.seed
            )
    }

    /// The deck of a game; nil if there is none.
    ///
    /// Others than own participants see what watchers see.
    package func deck(
        of game: SessionUUID,
        for participant: ParticipantID,
        using crypto: some Cryptography
    ) -> DeckView? {
        let guest = conversation.origins.seats.seat(of: participant)?.guest
        let isOwn = guest != nil || participant == conversation.keys.ownParticipant
        return round(of: game, using: crypto).map { round, legal in
            round.view(
                of: isOwn ? legal.state.seats.firstIndex(of: participant) : nil,
                ChainSteps(game, of: participant, using: crypto),
                guest: guest?.seed
            )
        }
    }

    /// The next addition of an author to the deck of a game, and its slot; nil if nothing is due.
    package func share(
        for game: SessionUUID,
        by author: ParticipantID,
        guest: Bytes32?,
        using crypto: some Cryptography
    ) -> (share: DeckShare, slot: UInt64)? {
        guard let (round, legal) = round(of: game, using: crypto),
            let seat = legal.state.seats.firstIndex(of: author),
            case let chains = ChainSteps(game, of: author, using: crypto),
            let share = round.next(of: seat, chains, guest: guest)
        else { return nil }
        return (share, round.deck.number & 1)
    }

    /// The latest additions of all players to the deck of a game, in the order of their seats, once
    /// all have given their secrets; nil before.
    package func shown(in game: SessionUUID, using crypto: some Cryptography) -> [DeckTable.Entry]?
    {
        guard let (round, legal) = round(of: game, using: crypto),
            round.isShown(besides: [], for: legal.author, isOwn: true) == true
        else { return nil }
        return round.deck.seats.compactMap {
            conversation.roles.decks[game, round.deck.number, legal.state.seats[$0]]
        }
    }

    private func round<Crypto: Cryptography>(
        of game: SessionUUID,
        using crypto: Crypto
    ) -> (DeckRound<Crypto>, MatchMove)? {
        guard let legal = legal(of: game, using: crypto),
            let round = DeckRound(in: legal, of: game, conversation.roles.decks, using: crypto)
        else { return nil }
        return (round, legal)
    }

    private func table<Crypto: Cryptography>(
        of game: SessionUUID,
        using crypto: Crypto
    ) -> RollTable<Crypto> {
        RollTable(game: game, chains: conversation.roles.chains.chains(of: game), crypto: crypto)
    }

    private func legal(
        of game: SessionUUID,
        using crypto: some Cryptography
    ) -> MatchMove? {
        number(of: game, using: crypto)
            .flatMap { conversation.roles.matches[$0]?.legal }
    }

    /// The number of the session of a game; nil if it is not here.
    func number(of game: SessionUUID, using crypto: some Cryptography) -> Int32? {
        conversation.tag(of: game, using: crypto).flatMap { conversation.sessions.numbers[$0] }
    }
}
