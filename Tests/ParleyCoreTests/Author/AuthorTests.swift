import ParleyCore
import ParleyFaults
import Testing

/// Answers to a request to write: accepted, refused with a reason, or put in line.
@Suite struct AuthorTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)
    private let own = SampleConversation.own

    /// A conversation with sequences, in which "s" is Ada's.
    private func sample(
        _ role: Capability.Role = .writer,
        limits: Limits = Limits(),
        next: [ParticipantID] = []
    ) throws -> SampleConversation {
        var sample = SampleConversation(role: role, writers: [ada, ben], limits: limits)
        sample.take([try ada.writes("s", next: next)])
        _ = sample.conversation.reserveSequences()
        sample.conversation.reservationCommitted()
        return sample
    }

    private func request(
        _ session: String = "s",
        number: UInt64 = 1,
        conversation: UInt32 = 1,
        app: String = "",
        url: String = "text",
        next: [ParticipantID] = [],
        picture: InlinePicture? = nil,
        replacing: [Dot]? = nil
    ) -> AuthorRequest {
        AuthorRequest(
            request: RequestID(number),
            conversation: conversation,
            body: MessageBody(
                session: SessionUUID(session: session),
                place: 0,
                sentAt: 0,
                app: app,
                url: url,
                layout: .template(TemplateLayout())
            ),
            next: next,
            picture: picture,
            replacing: replacing
        )
    }

    /// The answer of an author with nobody in line.
    private func answer(
        _ request: AuthorRequest,
        in sample: inout SampleConversation,
        after commits: Commits = Commits()
    ) -> Answered {
        var author = Author()
        return author.answer(request, in: &sample, after: commits)
    }

    // MARK: Accepted

    @Test func aRequestBecomesADraftThatReplacesAllHeads() throws {
        var sample = try sample()
        sample.take([try ben.writes("s", revision: 2)])
        for (session, sequence, revision, context) in [
            ("new", UInt64(1), UInt64(1), []),
            ("s", 2, 3, [ada.dot(1), ben.dot(1)].sorted()),
        ] {
            let request = request(session, next: [ada.participant])
            let draft = try #require(answer(request, in: &sample).draft)
            var header = EnvelopeHeader(
                tag: ada.tag(session),
                dot: own.dot(sequence),
                revision: revision,
                context: context
            )
            header.next = [ada.participant]
            #expect(draft.header == header)
            #expect(draft.conversation == 4)
            #expect(draft.headerBytes == Slice(header.encoded()))
        }
    }

    private static let last = Limits.sequenceEnd - 1

    /// A place is one more than the highest one, up to the last that there is.
    @Test(
        arguments: [(1, 2), (40, 41), (last - 1, last), (last, last)] as [(UInt64, UInt64)]
    )
    func theBodyIsSealedAtTheNextPlace(highest: UInt64, place: UInt64) throws {
        var sample = try sample()
        sample.take([try ada.writes("t", 2, place: highest)])
        let draft = try #require(answer(request("new", url: "hello"), in: &sample).draft)
        let body = body(of: draft, in: sample)
        #expect(body?.url == "hello")
        #expect(body?.place == place)
    }

    /// The body of a draft, as a reader opens it.
    private func body(of draft: AuthoredDraft, in sample: SampleConversation) -> MessageBody? {
        let envelope = Envelope.encode(
            headerBytes: draft.headerBytes,
            body: draft.sealedBody,
            proof: .single(own.crypto.sign(draft.headerBytes.bytes.span.bytes))
        )
        return sample.conversation.open(Slice(envelope), using: sample.crypto)
    }

    @Test(arguments: [(0, 0), (Limits.inlineBytes, 0), (Limits.inlineBytes + 1, 1)])
    func longPicturesTravelAsBlobs(size: Int, blobs: Int) throws {
        var sample = try sample()
        let bytes = Slice([UInt8](repeating: 3, count: size))
        let request = request(picture: InlinePicture(type: "image/png", bytes: bytes))
        let draft = try #require(answer(request, in: &sample).draft)
        #expect(draft.header.blobs.count == blobs)
        let image = body(of: draft, in: sample)?.layout?.template.image
        #expect(image == (blobs == 0 ? .inline : .blob(0)))
        #expect(draft.picture.references == draft.header.blobs)
        guard case .blob(let reference, let picture, let sealed) = draft.picture else { return }
        #expect(reference.size == UInt64(sealed.count))
        #expect(picture.size == UInt64(size))
        let opened = sample.conversation.keys.openBlob(sealed, of: own.origin, using: sample.crypto)
        #expect(opened.map(Slice.init) == bytes)
    }

    // MARK: Refused

    @Test(arguments: [Capability.Role.relay, .reader])
    func onlyWritersWrite(_ role: Capability.Role) throws {
        var sample = try sample(role)
        #expect(answer(request(), in: &sample) == .refused(.readOnly))
    }

    @Test func nothingIsWrittenWhileCommitsFail() throws {
        var sample = try sample()
        var commits = Commits()
        commits.isBlocked = true
        #expect(answer(request(), in: &sample, after: commits) == .refused(.storeFull))
        #expect(sample.conversation.ownSequences.next == 1)
    }

    @Test func theHeadsMustBeThoseThatTheRequestNames() throws {
        for (named, expected) in [
            (nil, Answered.accepted), ([ada.dot(1)], .accepted),
            ([], .refused(.stale([ada.dot(1)]))), ([ben.dot(1)], .refused(.stale([ada.dot(1)]))),
            ([ada.dot(1), ben.dot(1)], .refused(.stale([ada.dot(1)]))),
        ] {
            var sample = try sample()
            #expect(answer(request(replacing: named), in: &sample).short == expected)
        }
        var sample = try sample()
        #expect(answer(request("new", replacing: []), in: &sample).short == .accepted)
    }

    @Test func onlyWhoIsNextWrites() throws {
        for (next, expected) in [
            ([], Answered.accepted), ([ben.participant, own.participant], .accepted),
            ([ben.participant], .refused(.notYourTurn([ben.participant]))),
        ] {
            var sample = try sample(next: next)
            #expect(answer(request(), in: &sample).short == expected)
        }
    }

    @Test func limitsOfARequestAreKept() throws {
        let participants = [ParticipantID](repeating: ada.participant, count: 17)
        let text = { (count: Int) in String(repeating: "x", count: count) }
        let picture = { (type: Int, size: Int) in
            InlinePicture(
                type: text(type),
                bytes: Slice([UInt8](repeating: 0, count: size))
            )
        }
        let blobMax = Limits.blobBytes - SealNonce.overhead
        for (request, expected) in [
            (request(url: text(5_000)), Answered.accepted),
            (request(url: text(5_001)), .refused(.tooLarge(bytes: 5_001, limit: 5_000))),
            (request(next: Array(participants.prefix(16))), .accepted),
            (
                request(next: participants),
                .refused(.malformed("more than 16 participants are next"))
            ),
            (request(picture: picture(127, 1)), .accepted),
            (
                request(picture: picture(128, 1)),
                .refused(.malformed("the picture's media type has 128 bytes"))
            ),
            (request(picture: picture(9, blobMax)), .accepted),
            (
                request(picture: picture(9, blobMax + 1)),
                .refused(.tooLarge(bytes: blobMax + 1, limit: blobMax))
            ),
            (request(app: text(255)), .accepted),
            (
                request(app: text(256)),
                .refused(.malformed("the app has 256 bytes, at most 255 are allowed"))
            ),
        ] {
            var sample = try sample()
            #expect(answer(request, in: &sample).short == expected)
        }
    }

    @Test func aSessionAtTheLastRevisionIsFull() throws {
        for (revision, expected) in [
            (Limits.sequenceEnd - 2, Answered.accepted),
            (Limits.sequenceEnd - 1, .refused(.sessionFull)),
        ] {
            var sample = try sample()
            sample.take([try ada.writes("s", 2, revision: revision)])
            #expect(answer(request(), in: &sample).short == expected)
        }
    }

    // MARK: In line

    @Test func aRequestWaitsForASequence() throws {
        var sample = SampleConversation()
        #expect(answer(request(), in: &sample) == .waits)
        _ = sample.conversation.reserveSequences()
        #expect(answer(request(), in: &sample) == .waits)
        sample.conversation.reservationCommitted()
        #expect(answer(request(), in: &sample).short == .accepted)
    }

    @Test func aRequestWaitsForTheCommitOfWhatItReplaces() throws {
        var sample = try sample()
        sample.ticket = Ticket(1)
        _ = sample.merge(try own.writes("mine"), from: nil)
        var commits = Commits()
        // A message that is gathered for the same commit may be replaced.
        #expect(answer(request("mine"), in: &sample, after: commits).short == .accepted)
        _ = commits.issue([.epoch(Epoch(1))], bytes: 1)
        #expect(answer(request("mine"), in: &sample, after: commits) == .waits)
        #expect(answer(request("s"), in: &sample, after: commits).short == .accepted)
        _ = commits.done(Ticket(1))
        #expect(answer(request("mine"), in: &sample, after: commits).short == .accepted)
    }

    @Test func requestsKeepTheirOrder() throws {
        var author = Author()
        var empty = SampleConversation()
        var sample = try sample()
        #expect(author.answer(request(number: 1), in: &empty) == .waits)
        #expect(author.answer(request(number: 2), in: &sample) == .waits)
        #expect(author.takeWaiting().map(\.request) == [])
        author.commitsChanged()
        #expect(author.takeWaiting().map(\.request) == [RequestID(1), RequestID(2)])
        #expect(author.takeWaiting().map(\.request) == [])
        #expect(author.answer(request(number: 2), in: &sample).short == .accepted)
    }

    @Test func theLineIsLimited() {
        var author = Author()
        var sample = SampleConversation()
        for number in 0..<UInt64(Limits.waitingRequests) {
            #expect(author.answer(request(number: number), in: &sample) == .waits)
        }
        #expect(author.answer(request(), in: &sample) == .refused(.storeFull))
        #expect(author.waiting.count == Limits.waitingRequests)
    }

    @Test func requestsOfAConversationThatWasLeftAreLost() {
        var author = Author()
        var sample = SampleConversation()
        for (number, conversation) in [(1, 1), (2, 2), (3, 1), (4, 2)] {
            let request = request(number: UInt64(number), conversation: UInt32(conversation))
            #expect(author.answer(request, in: &sample) == .waits)
        }
        #expect(author.left(2).map(\.request) == [RequestID(2), RequestID(4)])
        #expect(author.left(2).map(\.request) == [])
        #expect(author.waiting.map(\.request) == [RequestID(1), RequestID(3)])
    }
}

/// An answer that can be compared; a draft is looked at on its own.
private enum Answered: Equatable {
    case accepted
    case draft(AuthoredDraft)
    case refused(AuthorAnswer)
    case waits

    var draft: AuthoredDraft? {
        if case .draft(let draft) = self { draft } else { nil }
    }

    /// The same without the draft.
    var short: Answered {
        if case .draft = self { .accepted } else { self }
    }

    static func == (left: Answered, right: Answered) -> Bool {
        switch (left, right) {
        case (.accepted, .accepted), (.waits, .waits): true
        case (.refused(let one), .refused(let other)): one == other
        case (.draft(let one), .draft(let other)): one.header == other.header
        case (.accepted, _), (.waits, _), (.refused, _), (.draft, _): false
        }
    }
}

extension Author {
    /// The answer of the conversation with the index 4 to a request.
    fileprivate mutating func answer(
        _ request: AuthorRequest,
        in sample: inout SampleConversation,
        after commits: Commits = Commits()
    ) -> Answered {
        var random = SeededRandom(seed: 1)
        let answer = prepare(
            request,
            in: &sample.conversation,
            at: 4,
            after: commits,
            deviceName: "here",
            at: .start,
            using: sample.crypto,
            random: &random
        )
        switch answer {
        case .accepted(let draft): return .draft(draft)
        case .refused(let refusal): return .refused(refusal)
        case .waits: return .waits
        }
    }
}
