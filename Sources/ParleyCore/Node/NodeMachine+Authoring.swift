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

    /// Goes on with the requests that waited for a commit.
    ///
    /// What that commit brought to disk has left before, as what replaces it waits for the next.
    mutating func authorWaiting() {
        guard turn.isAuthoringDue, !waitingRequests.isEmpty else { return }
        let requests = waitingRequests
        waitingRequests = []
        author(requests)
    }

    private mutating func prepare(_ request: AuthorRequest, into batch: inout AuthoredBatch) {
        guard let slot = conversationIndex(request.conversation) else {
            answer(request, .unknownConversation)
            return
        }
        guard conversations[slot].record.certificate != nil,
            let tag = conversations[slot].keys.tag(of: request.body.session, using: crypto)
        else {
            answer(request, .readOnly)
            return
        }
        guard !commits.isBlocked else {
            answer(request, .storeFull)
            return
        }
        guard !hasToWait(tag, slot: slot) else {
            wait(request, slot: slot)
            return
        }
        do throws(AuthorRefusal) {
            batch.add(try draft(request, tag, slot: slot))
            reserveSequences(slot)
        } catch {
            answer(request, error.answer)
        }
    }

    /// Whether a message has to wait for a commit: others wait before it, there is no sequence for
    /// it, or the one that it would replace is of this node and on its way to the disk.
    ///
    /// That one is not sent before it is there: if it could be replaced until then, and again and
    /// again, nobody would hear of the session.
    private func hasToWait(_ tag: SessionTag, slot: Int) -> Bool {
        guard waitingRequests.isEmpty, conversations[slot].ownSequences.available > 0 else {
            return true
        }
        guard let session = conversations[slot].sessionNumbers[tag] else { return false }
        return conversations[slot].sessions[Int(session)].heads.contains { head in
            head.sentAfter > commits.committed && head.sentAfter < commits.next
        }
    }

    private mutating func wait(_ request: AuthorRequest, slot: Int) {
        guard waitingRequests.count < NodeLoad.requestsMax else {
            answer(request, .storeFull)
            return
        }
        waitingRequests.append(request)
        reserveSequences(slot)
    }

    /// A message that is ready but for its signature.
    private mutating func draft(
        _ request: AuthorRequest,
        _ tag: SessionTag,
        slot: Int
    ) throws(AuthorRefusal) -> Draft {
        try check(request, slot: slot)
        let session = conversations[slot].session(tag)
        let replacement = try replacement(of: session, by: request, slot: slot)
        let picture = try picture(of: request, slot: slot)
        let origin = conversations[slot].keys.ownOrigin
        let dot = Dot(origin: origin, sequence: conversations[slot].ownSequences.take())
        let header = EnvelopeHeader(
            tag: tag,
            dot: dot,
            revision: replacement.revision,
            seen: replacement.seen,
            next: request.next,
            isTombstone: request.isTombstone,
            blobs: picture.references
        )
        var body = request.body
        body.place = min(conversations[slot].highestPlace + 1, Limits.sequenceEnd - 1)
        picture.place(in: &body)
        let draft = Draft(
            request: request,
            slot: slot,
            header: header,
            headerBytes: Slice(header.encoded()),
            sealedBody: Slice([]),
            picture: picture
        )
        return try seal(draft, body)
    }

    private mutating func seal(
        _ draft: Draft,
        _ body: MessageBody
    ) throws(AuthorRefusal) -> Draft {
        let plaintext = body.encoded()
        let size =
            plaintext.count + SealNonce.overhead + draft.headerBytes.count
            + EnvelopeProof.bytesMax
        guard size <= Limits.envelopeBytes else {
            throw AuthorRefusal(.tooLarge(bytes: size, limit: Limits.envelopeBytes))
        }
        guard let key = bodyKey(of: draft.header.dot.origin, slot: draft.slot) else {
            throw AuthorRefusal(.readOnly)
        }
        let data = Envelope.associatedData(
            conversation: conversations[draft.slot].record.id,
            headerBytes: draft.headerBytes
        )
        var sealed = draft
        sealed.sealedBody = Slice(
            crypto.seal(
                plaintext.span.bytes,
                key: key,
                nonce: SealNonce(using: &random),
                authenticating: data.span.bytes
            )
        )
        return sealed
    }

    private func check(_ request: AuthorRequest, slot: Int) throws(AuthorRefusal) {
        let characters = request.body.url?.count ?? 0
        guard characters <= Limits.urlCharacters else {
            throw AuthorRefusal(.tooLarge(bytes: characters, limit: Limits.urlCharacters))
        }
        guard request.next.count <= Limits.nextParticipants else {
            throw AuthorRefusal(
                .malformed("more than \(Limits.nextParticipants) participants are next")
            )
        }
        let type = request.picture?.type.utf8.count ?? 0
        guard type <= Limits.mediaTypeBytes else {
            throw AuthorRefusal(.malformed("the picture's media type has \(type) bytes"))
        }
        if let problem = request.body.problem { throw AuthorRefusal(.malformed(problem)) }
    }

    private func replacement(
        of session: SessionState?,
        by request: AuthorRequest,
        slot: Int
    ) throws(AuthorRefusal) -> Replacement {
        let register = session?.register ?? SessionRegister()
        if let named = request.replacing, !register.consists(of: named) {
            throw AuthorRefusal(.stale(register.heads.map(\.dot)))
        }
        let participant = conversations[slot].keys.ownParticipant
        for head in session?.heads ?? []
        where !head.next.isEmpty && !head.next.contains(participant) {
            throw AuthorRefusal(.notYourTurn(head.next))
        }
        let origin = conversations[slot].keys.ownOrigin
        if session == nil,
            conversations[slot].origins[origin]?.sessions ?? 0
                >= configuration.limits.sessionsPerOrigin
        {
            throw AuthorRefusal(.storeFull)
        }
        do throws(SessionFull) {
            return try register.replacement(by: origin)
        } catch {
            throw AuthorRefusal(.sessionFull)
        }
    }

    /// The picture of the layout, sealed if it is too long to travel in the body.
    private mutating func picture(
        of request: AuthorRequest,
        slot: Int
    ) throws(AuthorRefusal) -> AuthoredPicture {
        guard let picture = request.picture else { return .none }
        guard picture.bytes.count > Limits.inlineBytes else { return .inline(picture) }
        let size = picture.bytes.count + SealNonce.overhead
        guard size <= Limits.blobBytes else {
            throw AuthorRefusal(
                .tooLarge(
                    bytes: picture.bytes.count,
                    limit: Limits.blobBytes - SealNonce.overhead
                )
            )
        }
        let origin = conversations[slot].keys.ownOrigin
        guard let key = conversations[slot].keys.blobKey(of: origin, using: crypto) else {
            throw AuthorRefusal(.readOnly)
        }
        let id = conversations[slot].record.id.bytes
        let sealed = picture.bytes.withBytes { bytes in
            crypto.seal(
                bytes,
                key: key,
                nonce: SealNonce(using: &random),
                authenticating: id.span.bytes
            )
        }
        let described = Picture(
            type: picture.type,
            hash: crypto.sha256(picture.bytes),
            size: UInt64(picture.bytes.count)
        )
        let reference = BlobReference(
            id: BlobID(crypto.sha256(sealed)),
            size: UInt64(sealed.count)
        )
        return .blob(reference, described, Slice(sealed))
    }

    // MARK: Signing and merging

    /// Signs what is in the batch, and takes it in as if it had come from a peer.
    private mutating func publish(_ batch: inout AuthoredBatch) {
        let drafts = batch.drafts
        batch = AuthoredBatch()
        guard !drafts.isEmpty else { return }
        let digests = drafts.map { draft in
            Envelope.digest(
                header: draft.headerBytes,
                body: draft.sealedBody,
                conversation: conversations[draft.slot].record.id,
                using: crypto
            )
        }
        for (draft, proof) in zip(drafts, BatchTree.proofs(of: digests, using: crypto)) {
            publish(draft, proof)
        }
    }

    private mutating func publish(_ draft: Draft, _ proof: EnvelopeProof) {
        let envelope = Envelope(
            header: draft.header,
            headerBytes: draft.headerBytes,
            body: draft.sealedBody,
            proof: proof
        )
        let slot = draft.slot
        if case .blob(let reference, _, let sealed) = draft.picture {
            turn.writes += blobs.store(sealed, as: reference, with: commits.next)
            turn.envelopeBytes += sealed.count
        }
        let head = envelope.head(in: conversations[slot].record.id, using: crypto)
        let merged = merge(envelope, head, slot: slot, hops: 0, from: nil)
        guard merged == .changed else {
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
            let session = conversations[slot].sessionNumbers[draft.header.tag],
            let position = conversations[slot].feed.position(of: session)
        else { return }
        audience.follow(
            draft.request.request,
            conversation: conversations[slot].number,
            position: position
        )
    }

    mutating func answer(_ request: AuthorRequest, _ answer: AuthorAnswer) {
        turn.effects.deliveries.append(.answer(request.request, answer))
    }
}
