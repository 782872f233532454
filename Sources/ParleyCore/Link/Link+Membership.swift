/// Proves membership, and finds the conversations that both sides have.
extension Link {
    /// Sends the proofs of membership that were not sent on this link yet.
    mutating func sendTags(
        of conversations: ConversationTable,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) {
        let tags = tagsToSend(for: conversations, using: crypto, random: &random)
        if let tags { outbox.append(.conversations(tags)) }
    }

    /// The proofs of membership that were not sent on this link yet; nil if there are none.
    package mutating func tagsToSend(
        for conversations: some Sequence<Conversation>,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) -> ConversationTags? {
        let tags = conversations.map { conversation in
            let tag = tag(of: conversation, isInitiator: isInitiator, using: crypto)
            let earlier = conversation.keys.earlierTags(
                exporter: exporter,
                isInitiator: isInitiator,
                using: crypto
            )
            return (number: conversation.number, tag: tag, earlier: earlier)
        }
        return membership.tagsToSend(for: tags, random: &random)
    }

    /// The peer sent proofs of membership.
    mutating func tagsReceived(_ tags: ConversationTags) throws(Refusal) {
        try membership.received(tags.tags)
    }

    /// The numbers of a conversation on both sides, if both have it and it is not shared yet.
    package mutating func match(
        _ conversation: Conversation,
        using crypto: some Cryptography
    ) -> (own: UInt32, peer: UInt32)? {
        guard phase != .closing, replication(of: conversation.number) == nil else { return nil }
        let number = conversation.number
        let tag =
            membership.expected[number]
            ?? tag(of: conversation, isInitiator: !isInitiator, using: crypto)
        membership.expected[number] = tag
        guard let peer = membership.peerNumber(of: tag),
            let own = membership.ownNumber(of: conversation.number)
        else { return nil }
        return (own, peer)
    }

    /// One side's proof of membership for a conversation on this link.
    private func tag(
        of conversation: Conversation,
        isInitiator: Bool,
        using crypto: some Cryptography
    ) -> Bytes16 {
        conversation.keys.membershipTag(
            exporter: exporter,
            isInitiator: isInitiator,
            using: crypto
        )
    }

    /// Whether the peer proved keys of a generation before the current one.
    mutating func provedEarlier(
        _ conversation: Conversation,
        using crypto: some Cryptography
    ) -> Bool {
        let tags =
            membership.outdated[conversation.number]
            ?? conversation.keys
            .outdatedTags(exporter: exporter, isInitiator: !isInitiator, using: crypto)
        membership.outdated[conversation.number] = tags
        return tags.contains { membership.peerNumber(of: $0) != nil }
    }

    /// Starts to replicate a conversation that both sides have.
    ///
    /// The first conversation makes the peer a member.
    package mutating func share(
        _ conversation: Conversation,
        _ numbers: (own: UInt32, peer: UInt32)
    ) {
        replications.append(
            Replication(
                conversation: conversation.number,
                ownNumber: numbers.own,
                peerNumber: numbers.peer,
                link: id,
                cursor: conversation.cursors[device] ?? .beginning
            )
        )
        phase = .member
    }

    /// Asks the peer for its feed of a conversation.
    mutating func requestFeed(of conversation: Conversation) {
        guard let index = replication(of: conversation.number) else { return }
        outbox.append(.feed(replications[index].feedRequest(of: conversation)))
    }
}
