/// The rolls of a conversation's games, as this node's participants see them.
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
        guard let state = legal(of: game, using: crypto)?.state, let roll = state.roll else {
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
        guard let legal = legal(of: game, using: crypto), let roll = legal.state.roll else {
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
        conversation.tag(of: game, using: crypto).flatMap { conversation.sessionNumbers[$0] }
            .flatMap { conversation.roles.matches[$0]?.legal }
    }
}
