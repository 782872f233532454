/// What followed from other keys of a conversation.
struct Adoption {
    /// What this node vouches for, and what was read of boxes: to be told to others.
    var vouches: [Vouch] = []
    /// The blobs that removed heads listed.
    var unlisted: [BlobReference] = []
}

extension ConversationTable {
    /// Takes the keys of the current generation of a conversation, and lets go of what does not
    /// count there.
    ///
    /// A writer vouches for the heads of those who are out, so that nothing is lost; readers and
    /// relays remove what nobody has vouched for.
    mutating func adopt(
        _ index: Int,
        epoch: Epoch,
        tickets: Commits,
        using crypto: some Cryptography,
        into step: inout Step
    ) -> Adoption {
        var adoption = Adoption()
        let number = self[index].number
        if let secret = self[index].generations.openBox(using: crypto) {
            let name = MemberRecord.secret(self[index].generations.current)
            step.writes.append(.member(conversation: number, name, Slice(secret.bytes)))
        }
        for id in self[index].generations.dropBoxes() {
            guard let record = self[index].generations.generations[id]?.record else { continue }
            let entry = Slice(MemberEntry.generation(record, nil).packed)
            step.writes.append(.member(conversation: number, .generation(id), entry))
        }
        self[index].followKeys(epoch: epoch, using: crypto)
        // Who is out, or has no keys, keeps what it has.
        guard self[index].standing == .member else { return adoption }
        let out = self[index].headsOut(using: crypto)
        adoption.vouches = self[index].vouch(for: out, using: crypto)
        for vouch in adoption.vouches {
            let name = MemberRecord.vouch(vouch.id(using: crypto))
            step.writes.append(.member(conversation: number, name, Slice(vouch.packed)))
        }
        guard !out.isEmpty, adoption.vouches.isEmpty else { return adoption }
        for session in self[index].sessions.indices {
            adoption.unlisted += removeHeadsOut(
                of: Int32(session),
                in: index,
                until: tickets.next,
                using: crypto
            )
        }
        return adoption
    }
}

extension Conversation {
    /// Takes the keys of the current generation.
    fileprivate mutating func followKeys(epoch: Epoch, using crypto: some Cryptography) {
        record = record.follows(generations, using: crypto)
        standing = generations.standing(ownListing(using: crypto))
        renew(epoch: epoch, using: crypto)
    }
}
