/// What people and programs of this node write.
extension NodeMachine {
    /// Authors messages in their order; those of different sessions share one signature.
    mutating func author(_ requests: [AuthorRequest]) {
        var batch = AuthoredBatch()
        for request in requests {
            if batch.isFull || batch.touches(request) { publish(&batch) }
            prepare(request, into: &batch)
        }
        publish(&batch)
    }

    private mutating func prepare(_ request: AuthorRequest, into batch: inout AuthoredBatch) {
        guard let index = conversationIndex(request.conversation) else {
            answer(request, .unknownConversation)
            return
        }
        let prepared = author.prepare(
            request,
            in: &conversations[index],
            at: index,
            after: commits,
            using: crypto,
            random: &random
        )
        switch prepared {
        case .refused(let refusal):
            answer(request, refusal)
        case .accepted(let draft):
            batch.add(draft)
            reserveSequences(index)
        case .waits:
            reserveSequences(index)
        }
    }

    /// Signs what is in the batch, and takes it in as if it had come from a peer.
    private mutating func publish(_ batch: inout AuthoredBatch) {
        let drafts = batch.drafts
        batch = AuthoredBatch()
        guard !drafts.isEmpty else { return }
        let digests = drafts.map { draft in
            Envelope.digest(
                header: draft.headerBytes,
                body: draft.sealedBody,
                conversation: conversations[draft.conversation].record.id,
                using: crypto
            )
        }
        for (draft, proof) in zip(drafts, BatchTree.proofs(of: digests, using: crypto)) {
            publish(draft, proof)
        }
    }

    private mutating func publish(_ draft: AuthoredDraft, _ proof: EnvelopeProof) {
        let envelope = Envelope(
            header: draft.header,
            headerBytes: draft.headerBytes,
            body: draft.sealedBody,
            proof: proof
        )
        let index = draft.conversation
        if case .blob(let reference, _, let sealed) = draft.picture {
            store(sealed, as: reference)
        }
        let head = envelope.head(in: conversations[index].record.id, using: crypto)
        let arrival = Arrival(envelope: envelope, head: head, hops: 0, source: nil)
        guard merge(arrival, into: index) == .changed else {
            answer(draft.request, .storeFull)
            return
        }
        let authored = AuthoredMessage(
            session: draft.request.body.session,
            dot: head.dot,
            revision: head.revision
        )
        commits.afterNext(.answer(draft.request.request, .stored(authored)))
        guard draft.request.isFollowed,
            let position = conversations[index].position(of: draft.header.tag)
        else { return }
        author.follow(
            draft.request.request,
            conversation: conversations[index].number,
            position: position
        )
    }

    mutating func answer(_ request: AuthorRequest, _ answer: AuthorAnswer) {
        step.deliver(.answer(request.request, answer))
    }
}
