/// The parts of a conversation's games, sealed and opened for this node's participants.
package struct GameParts {
    private let conversation: Conversation

    package init(in conversation: Conversation) {
        self.conversation = conversation
    }

    /// The content of a part; nil unless the part is for the participant: this device or a guest.
    package func opened(
        _ part: MatchPart,
        of game: SessionUUID,
        in seats: [ParticipantID],
        for participant: ParticipantID,
        using crypto: some Cryptography
    ) -> [UInt8]? {
        let guest = conversation.origins.seats.seat(of: participant)?.guest
        guard guest != nil || participant == conversation.keys.ownParticipant,
            seats[part.to] == participant, let author = keys(of: game)[seats[part.by]]
        else { return nil }
        let secret = ChainSteps(game, of: participant, using: crypto)
            .partSecret(guest: guest?.seed)
        return box(of: game, using: crypto).opened(part, by: author, with: secret)
    }

    /// A part that `author` seals for a seat; nil if one of the two has no seat.
    ///
    /// If the key of the seat is missing, or agrees with nobody, the part is empty: no player can
    /// keep another from moving.
    func sealed(
        _ draft: AuthorRequest.Part,
        of game: SessionUUID,
        in seats: [ParticipantID],
        by author: Seat,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) -> MatchPart? {
        let participant = author.author.participant
        guard let by = seats.firstIndex(of: participant), seats.indices.contains(draft.to) else {
            return nil
        }
        let key = keys(of: game)[seats[draft.to]] ?? .zero
        let secret = ChainSteps(game, of: participant, using: crypto)
            .partSecret(guest: author.guest?.seed)
        let single = Bytes32(random.next(), random.next(), random.next(), random.next())
        let nonce = SealNonce(using: &random)
        let box = box(of: game, using: crypto)
        let sealed = draft.content.withBytes {
            box.sealed($0, for: key, by: secret, with: single, nonce: nonce)
        }
        return MatchPart(
            to: draft.to,
            by: by,
            key: sealed?.key ?? .zero,
            sealed: sealed?.sealed ?? .empty
        )
    }

    private func keys(of game: SessionUUID) -> [ParticipantID: Bytes32] {
        conversation.roles.chains.chains(of: game).keys
    }

    private func box<Crypto: Cryptography>(
        of game: SessionUUID,
        using crypto: Crypto
    ) -> PartBox<Crypto> {
        PartBox(conversation: conversation.record.id.value, game: game, using: crypto)
    }
}
