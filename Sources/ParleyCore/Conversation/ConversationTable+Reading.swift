/// Answers of one conversation, read in place: a copy would cost more than most answers.
extension ConversationTable {
    /// The first conversation whose record fits.
    package func first(withRecord fits: (ConversationRecord) -> Bool) -> Conversation? {
        indices.first { fits(self[$0].record) }.map { self[$0] }
    }

    package func record(_ number: UInt32) -> ConversationRecord? {
        index(of: number).map { self[$0].record }
    }

    /// The number of sessions in all conversations.
    package var sessionCount: Int { indices.reduce(0) { $0 + self[$1].sessionCount } }

    /// The used-up quotas, each with the number of a conversation that leaves out new messages.
    package var usedUp: [(shortage: Shortage, conversation: UInt32)] {
        let areAllFull = quotaUse.all >= 1
        return indices.compactMap { index in
            let isFull = self[index].quotaUse >= 1
            let shortage =
                self[index].shortage ?? (isFull ? .conversation : nil)
                ?? (areAllFull ? .allConversations : nil)
            return shortage.map { ($0, self[index].number) }
        }
    }

    /// The session with this tag.
    package func view(_ tag: SessionTag, in number: UInt32) -> SessionView? {
        read(number) { $0.view(tag) }
    }

    /// The session with this number in the conversation.
    package func view(_ session: Int32, in number: UInt32) -> SessionView? {
        read(number) { $0.view(session) }
    }

    /// The body of an envelope, if this node may read it.
    package func open(
        _ envelope: Slice,
        in number: UInt32,
        using crypto: some Cryptography
    ) -> MessageBody? {
        read(number) { $0.open(envelope, using: crypto) }
    }

    /// The device and the participant behind an origin.
    package func author(of origin: OriginID, in number: UInt32) -> AuthorView? {
        read(number) { $0.author(of: origin) }
    }

    @inline(__always)
    private func read<Value>(_ number: UInt32, _ body: (Conversation) -> Value?) -> Value? {
        index(of: number).flatMap { body(self[$0]) }
    }
}
