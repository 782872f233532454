extension Judge {
    /// Asks the rules of the game's app, if the message is one that the app has written.
    ///
    /// - Parameters:
    ///   - body: The content of the message; nil if it is not here.
    ///   - uuid: The session of the game.
    ///   - session: Its number, if the session is here.
    ///   - conversation: The conversation.
    ///   - crypto: The primitives.
    mutating func askRules(
        _ body: MessageBody?,
        of uuid: SessionUUID,
        _ session: Int32?,
        in conversation: Conversation,
        using crypto: some Cryptography
    ) {
        guard let session, case .after(let base) = game.base(of: move), state.phase != .offered,
            state.undone == nil
        else { return }
        // What was found when both messages were here stays.
        let wasAgainst = game.violations.contains {
            $0.head.dot == move.dot && $0.fault == .appRule
        }
        isAllowed = wasAgainst ? false : nil
        let envelope = conversation.roles.matches.envelope(of: base.dot, in: session)
        guard let rules = conversation.roles.matches.rules, let body,
            let before = envelope.flatMap({ conversation.open($0, using: crypto) })
        else { return }
        // A claim is about time, and leaves the app's data as they are.
        guard state.claim == nil else {
            isAllowed = body.url == before.url
            return
        }
        let chains = conversation.roles.chains.chains(of: uuid)
        let roll = base.state.chance.roll.map {
            RollTable(game: uuid, chains: chains, crypto: crypto)
                .view(of: $0, in: base.state.seats, by: nil, guest: nil)
        }
        let deck = DeckRound(in: base, of: uuid, conversation.roles.decks, using: crypto)?
            .view(of: nil, nil)
        let ruling = unlessLeftOut { quit in
            rules(
                MatchStep(
                    before: before,
                    after: body,
                    author: move.author,
                    quit: quit,
                    roll: roll,
                    deck: deck
                )
            )
        }
        isAllowed = ruling ?? isAllowed
    }
}
