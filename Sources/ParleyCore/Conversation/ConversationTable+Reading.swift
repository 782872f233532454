/// Answers from one conversation, which is found by its number and read in place: a copy of a
/// conversation costs more than most answers.
extension ConversationTable {
    /// A session, known by its tag.
    package func view(_ tag: SessionTag, in number: UInt32) -> SessionView? {
        guard let index = index(of: number) else { return nil }
        return self[index].view(tag)
    }

    /// A session, known by its number in the conversation.
    package func view(_ session: Int32, in number: UInt32) -> SessionView? {
        guard let index = index(of: number) else { return nil }
        return self[index].view(session)
    }

    /// The body of an envelope, if this node may read it.
    package func open(
        _ envelope: Slice,
        in number: UInt32,
        using crypto: some Cryptography
    ) -> MessageBody? {
        guard let index = index(of: number) else { return nil }
        return self[index].open(envelope, using: crypto)
    }

    /// The device and the participant behind an origin.
    package func author(of origin: OriginID, in number: UInt32) -> AuthorView? {
        guard let index = index(of: number) else { return nil }
        return self[index].author(of: origin)
    }
}
