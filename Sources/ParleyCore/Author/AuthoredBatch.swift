/// Messages of one author that will share a signature, at most one for each session.
package struct AuthoredBatch {
    package private(set) var drafts: [AuthoredDraft] = []
    private var sessions: Set<SessionUUID> = []

    package init() {}

    /// Whether a message of the request can share the signature: there is room, no other message in
    /// its session waits to be merged, and the author is the same.
    package func takes(_ request: AuthorRequest) -> Bool {
        guard drafts.count < BatchTree.leavesMax, !sessions.contains(request.body.session) else {
            return false
        }
        guard let first = drafts.first?.request else { return true }
        return first.guest == request.guest
            && (request.guest == nil || first.conversation == request.conversation)
    }

    /// Signs the messages, and leaves the batch empty.
    ///
    /// - Returns: the messages, each with an envelope that is ready to be merged.
    package mutating func sign(
        for conversations: ConversationTable,
        using crypto: some Cryptography
    ) -> [(draft: AuthoredDraft, arrival: Arrival)] {
        defer { self = AuthoredBatch() }
        let digests = drafts.map { draft in
            Envelope.digest(
                headerBytes: draft.headerBytes,
                body: draft.sealedBody,
                in: conversations[draft.conversation].record.id,
                using: crypto
            )
        }
        guard let author = drafts.first?.author else { return [] }
        let proofs = BatchTree.proofs(of: digests, as: author.guest?.seed, using: crypto)
        return zip(drafts, proofs).map { draft, proof in
            let envelope = Envelope(
                header: draft.header,
                headerBytes: draft.headerBytes,
                body: draft.sealedBody,
                proof: proof
            )
            let id = conversations[draft.conversation].record.id
            let head = envelope.head(in: id, using: crypto)
            return (draft, Arrival(envelope: envelope, head: head, hops: 0, source: nil))
        }
    }

    package mutating func add(_ draft: AuthoredDraft) {
        drafts.append(draft)
        sessions.insert(draft.request.body.session)
    }
}
