/// A message that is complete except for its signature.
package struct AuthoredDraft: Sendable {
    package let request: AuthorRequest
    /// The index of the conversation in the table.
    package let conversation: Int
    let author: Seat
    package let header: EnvelopeHeader
    package let headerBytes: Slice
    package let sealedBody: Slice
    package let picture: AuthoredPicture

    /// The message as the caller of the request hears of it.
    package var message: AuthoredMessage {
        AuthoredMessage(
            session: request.body.session,
            dot: header.dot,
            revision: header.revision
        )
    }
}

/// Why a message was not authored.
struct AuthorRefusal: Error {
    let answer: AuthorAnswer

    init(_ answer: AuthorAnswer) {
        self.answer = answer
    }
}

extension AuthoredDraft {
    /// Checks a request against the known heads, takes a sequence, and seals the body.
    init(
        _ request: AuthorRequest,
        by author: Seat,
        _ tag: SessionTag,
        in conversation: inout Conversation,
        at index: Int,
        deviceName: String?,
        now: Moment,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) throws(AuthorRefusal) {
        var request = request
        try request.check()
        try request.complete(by: author, tag, in: conversation, using: crypto, random: &random)
        let replacement = try request.replacement(
            by: author,
            of: tag,
            in: conversation,
            at: now,
            using: crypto
        )
        let picture = try AuthoredPicture(
            request.picture,
            of: author.origin,
            in: conversation,
            using: crypto,
            random: &random
        )
        let header = EnvelopeHeader(
            tag: tag,
            dot: Dot(origin: author.origin, sequence: conversation.ownSequences.take()),
            revision: replacement.revision,
            context: replacement.context,
            next: request.next,
            isTombstone: request.isTombstone,
            blobs: picture.references,
            generation: conversation.keys.generation
        )
        let body = author.body(of: request, tag, picture, deviceName, in: conversation)
        let headerBytes = Slice(header.encoded())
        let sealedBody = try Self.seal(
            body,
            of: author.origin,
            behind: headerBytes,
            isJudged: request.isJudged,
            in: &conversation,
            using: crypto,
            random: &random
        )
        self.init(
            request: request,
            conversation: index,
            author: author,
            header: header,
            headerBytes: headerBytes,
            sealedBody: sealedBody,
            picture: picture
        )
    }

    private static func seal(
        _ body: MessageBody,
        of origin: OriginID,
        behind headerBytes: Slice,
        isJudged: Bool,
        in conversation: inout Conversation,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) throws(AuthorRefusal) -> Slice {
        let plaintext = body.encoded()
        let sealedSize = plaintext.count + SealNonce.overhead
        if isJudged, case .match = body.role, sealedSize > Limits.matchBytes {
            throw AuthorRefusal(.tooLarge(bytes: sealedSize, limit: Limits.matchBytes))
        }
        let size = sealedSize + headerBytes.count + EnvelopeProof.bytesMax
        guard size <= Limits.envelopeBytes else {
            throw AuthorRefusal(.tooLarge(bytes: size, limit: Limits.envelopeBytes))
        }
        let generation = conversation.keys.generation
        guard let key = conversation.bodyKey(of: origin, in: generation, using: crypto) else {
            throw AuthorRefusal(.readOnly)
        }
        let data = Envelope.associatedData(
            conversation: conversation.record.id,
            headerBytes: headerBytes
        )
        return Slice(
            crypto.seal(
                plaintext.span.bytes,
                key: key,
                nonce: SealNonce(using: &random),
                authenticating: data.span.bytes
            )
        )
    }
}

extension AuthorRequest {
    /// Checks the limits of the protocol.
    fileprivate func check() throws(AuthorRefusal) {
        let characters = body.url?.count ?? 0
        guard characters <= Limits.urlCharacters else {
            throw AuthorRefusal(.tooLarge(bytes: characters, limit: Limits.urlCharacters))
        }
        guard next.count <= Limits.nextParticipants else {
            throw AuthorRefusal(
                .malformed("more than \(Limits.nextParticipants) participants are next")
            )
        }
        let type = picture?.type.utf8.count ?? 0
        guard type <= Limits.mediaTypeBytes else {
            throw AuthorRefusal(.malformed("the picture's media type has \(type) bytes"))
        }
        if let problem = body.problem { throw AuthorRefusal(.malformed(problem)) }
    }

    /// Whether the message goes on without a message against the rules, whose word on who is next
    /// does not count.
    private func overrules(_ dot: Dot) -> Bool {
        guard case .match(let state) = body.role else { return false }
        return state.overruled.contains(dot)
    }

    /// The replacement of all known heads, within the rules of a turn game.
    ///
    /// - Throws: `stale`, `notYourTurn`, `sessionFull` or `notPlayable`.
    fileprivate func replacement(
        by author: Seat,
        of tag: SessionTag,
        in conversation: Conversation,
        at now: Moment,
        using crypto: some Cryptography
    ) throws(AuthorRefusal) -> Replacement {
        let replacement = try replacement(by: author, of: conversation.session(tag))
        try judge(by: author, replacement, of: tag, in: conversation, at: now, using: crypto)
        return replacement
    }

    /// The replacement of all known heads.
    ///
    /// - Throws: `stale`, `notYourTurn` or `sessionFull`.
    private func replacement(
        by author: Seat,
        of session: SessionState?
    ) throws(AuthorRefusal) -> Replacement {
        let register = session?.register ?? SessionRegister()
        if let replacing, !register.consists(of: replacing) {
            throw AuthorRefusal(.stale(register.heads.map(\.dot)))
        }
        for head in session?.heads ?? []
        where !head.next.isEmpty && !head.next.contains(author.author.participant)
            && !overrules(head.dot)
        {
            throw AuthorRefusal(.notYourTurn(head.next))
        }
        do throws(SessionFull) {
            return try register.replacement(by: author.origin)
        } catch {
            throw AuthorRefusal(.sessionFull)
        }
    }
}

extension Seat {
    /// The body of a message, with its place in the transcript and the name of its author.
    fileprivate func body(
        of request: AuthorRequest,
        _ tag: SessionTag,
        _ picture: AuthoredPicture,
        _ deviceName: String?,
        in conversation: Conversation
    ) -> MessageBody {
        var body = request.body
        body.deviceName = guest?.name ?? deviceName
        body.place = place(of: body.session, tag, in: conversation)
        picture.place(in: &body)
        return body
    }

    /// The place of a new message: what an author writes again, such as a text with a mistake less,
    /// stays where it was.
    fileprivate func place(
        of session: SessionUUID,
        _ tag: SessionTag,
        in conversation: Conversation
    ) -> UInt64 {
        let old = conversation.session(tag)?.shownLine?.place
        guard let old, session.isOwned(by: author.participant) else {
            return min(conversation.highestPlace + 1, Limits.sequenceEnd - 1)
        }
        return old
    }
}
