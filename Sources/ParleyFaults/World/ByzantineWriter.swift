import ParleyCore

/// A member with software of its own, which keeps links correctly and breaks rules on request.
///
/// It handles the inputs of a machine and answers with effects, so a world treats it as a node.
package struct ByzantineWriter {
    private struct Acquaintance {
        let link: LinkID
        let exporter: Bytes32
        let isDialler: Bool
        /// The numbers that the peer gives to the conversations, by their indices here.
        var numbers: [Int: UInt32] = [:]
        /// Assembles the frames of the peer.
        var parser = FrameParser()
    }

    private let crypto: SimulatedCryptography
    private let tables: [SimulatedConversation]
    private var random: SeededRandom
    private let epoch: Epoch
    private var acquaintances: [Acquaintance] = []
    /// The next sequence in each conversation.
    private var sequences: [UInt64]
    /// The envelopes that it received and made, the oldest first, with the index of the
    /// conversation.
    private var known: [(conversation: Int, bytes: Slice, envelope: Envelope)] = []
    private var pending: [LinkSend] = []
    /// The envelopes that it signed in the present act.
    private var signed: [(conversation: ConversationID, bytes: Slice)] = []
    /// The last position of an invented feed.
    private var lastPosition: UInt64 = 0

    private static let knownMax = 200

    /// A Byzantine writer in the first `conversations` conversations, in an epoch of its own.
    init(crypto: SimulatedCryptography, conversations: Int, random: SeededRandom) {
        self.crypto = crypto
        self.random = random
        tables = (1...max(1, conversations)).map { SimulatedConversation(UInt64($0)) }
        epoch = Epoch(self.random.next())
        sequences = Array(repeating: 1, count: tables.count)
    }

    // MARK: Keeping its links

    mutating func handle(_ inputs: [NodeInput]) -> Effects {
        for input in inputs {
            switch input {
            case .linkOpened(let opened): greet(opened)
            case .received(let link, let bytes): take(bytes, on: link)
            case .linkClosed(let link, _): acquaintances.removeAll { $0.link == link }
            default: break
            }
        }
        return effects()
    }

    private mutating func effects() -> Effects {
        var effects = Effects()
        effects.sends = pending
        pending = []
        return effects
    }

    private mutating func send(_ frame: Frame, on link: LinkID) {
        var bytes: [UInt8] = []
        frame.append(to: &bytes)
        pending.append(LinkSend(link: link, bytes: bytes))
    }

    private mutating func greet(_ opened: OpenedLink) {
        let acquaintance = Acquaintance(
            link: opened.id,
            exporter: opened.exporter,
            isDialler: opened.dial != nil
        )
        acquaintances.append(acquaintance)
        let hello = Hello(
            wireVersions: 1...9,
            software: "9",
            deviceName: "byzantine",
            processNonce: epoch.value
        )
        send(.hello(hello), on: opened.id)
        var tags = tables.indices.map { tag($0, acquaintance, isOwn: true) }
        while !tags.count.isMultiple(of: Limits.conversationGroup) {
            tags.append(Bytes16(random.next(), random.next()))
        }
        send(.conversations(ConversationTags(tags: tags)), on: opened.id)
        for index in tables.indices {
            let feed = FeedRequest(
                conversation: UInt32(index),
                since: .beginning,
                ownIncarnation: epoch.value,
                ownPosition: 0
            )
            send(.feed(feed), on: opened.id)
        }
        let much = Credit(envelopeBytes: 1 << 40, blobBytes: 1 << 40, names: 1 << 40)
        send(.credit(much), on: opened.id)
    }

    /// The proof of a side of a link that its device is in a conversation.
    private func tag(_ index: Int, _ acquaintance: Acquaintance, isOwn: Bool) -> Bytes16 {
        let side: UInt8 = acquaintance.isDialler == isOwn ? 0 : 1
        return tables[index].tag(exporter: acquaintance.exporter, side: side)
    }

    private mutating func take(_ bytes: Slice, on link: LinkID) {
        guard let index = acquaintances.firstIndex(where: { $0.link == link }) else { return }
        acquaintances[index].parser.append(bytes)
        // Honest nodes send valid frames; a Byzantine writer ignores all others.
        while let raw = try? acquaintances[index].parser.next(frameBytesMax: Limits.frameBytes) {
            if let frame = try? Frame(decoding: raw) { answer(frame, on: link) }
        }
    }

    private mutating func answer(_ frame: Frame, on link: LinkID) {
        switch frame {
        case .ping(let nonce): send(.pong(nonce), on: link)
        case .conversations(let list): meet(list.tags, on: link)
        case .envelope(let body): hear(body, on: link)
        case .want(let list): for entry in list.entries { give(entry, list.conversation, on: link) }
        case .blobWant(let want): for chunk in want.chunks { give(chunk, of: want, on: link) }
        default: break
        }
    }

    /// Sends wrong bytes of the right length, or answers that there is no such picture.
    private mutating func give(_ index: UInt64, of want: BlobWant, on link: LinkID) {
        let listed = known.lazy.flatMap(\.envelope.header.blobs).first { $0.id == want.blob }
        let start = index * UInt64(Limits.blobChunkBytes)
        var length = 0
        if let size = listed?.size, size > start, random.chance(1, in: 2) {
            length = Int(min(size - start, UInt64(Limits.blobChunkBytes)))
        }
        let chunk = BlobChunk(
            conversation: want.conversation,
            blob: want.blob,
            index: index,
            bytes: Slice(random.bytes(length))
        )
        send(.blobChunk(chunk), on: link)
    }

    /// Sends a wanted envelope if it is known, and else answers "not found".
    private mutating func give(_ entry: HaveEntry, _ number: UInt32, on link: LinkID) {
        let found = known.last {
            $0.envelope.header.dot == entry.dot && $0.envelope.header.tag == entry.tag
        }
        guard let found else {
            let notFound = HaveEntry(
                position: 0,
                tag: entry.tag,
                dot: entry.dot,
                revision: 0,
                digestPrefix: 0
            )
            return send(.have(HaveList(conversation: number, entries: [notFound])), on: link)
        }
        push(found.bytes, in: found.conversation, on: link)
    }

    private mutating func meet(_ tags: [Bytes16], on link: LinkID) {
        guard let peer = acquaintances.firstIndex(where: { $0.link == link }) else { return }
        for index in tables.indices {
            let expected = tag(index, acquaintances[peer], isOwn: false)
            guard let number = tags.firstIndex(of: expected) else { continue }
            acquaintances[peer].numbers[index] = UInt32(number)
        }
    }

    private mutating func hear(_ frame: EnvelopeFrame, on link: LinkID) {
        guard let peer = acquaintances.first(where: { $0.link == link }),
            let index = tables.indices.first(where: { peer.numbers[$0] == frame.conversation }),
            let envelope = try? Envelope(decoding: frame.envelope)
        else { return }
        remember(frame.envelope, envelope, in: index)
    }

    private mutating func remember(_ bytes: Slice, _ envelope: Envelope, in conversation: Int) {
        if known.count == Self.knownMax { known.removeFirst(Self.knownMax / 2) }
        known.append((conversation, bytes.compacted(), envelope))
    }

    private mutating func push(_ bytes: Slice, in conversation: Int, on link: LinkID) {
        let frame = EnvelopeFrame(
            conversation: UInt32(conversation),
            hops: UInt8(random.next() % 12),
            position: 0,
            envelope: bytes
        )
        send(.envelope(frame), on: link)
    }

    // MARK: Breaking the rules

    /// The effects of an act, and the envelopes that were signed for it.
    struct Performance {
        let effects: Effects
        let signed: [(conversation: ConversationID, bytes: Slice)]
    }

    /// Breaks a rule in the conversation with this number.
    mutating func perform(_ act: ByzantineAct, conversation number: Int) -> Performance {
        signed = []
        let index = min(max(0, number - 1), tables.count - 1)
        var author = SimulatedAuthor(crypto: crypto, table: tables[index])
        author.epoch = epoch
        switch act {
        case .replay: replay()
        case .garbage: garbage()
        case .falseHave: falseHave(index)
        case .uncertified: introduceNobody(index)
        default: write(act, author, index)
        }
        return Performance(effects: effects(), signed: signed)
    }

    private mutating func some() -> [LinkID] {
        let chosen = acquaintances.map(\.link).filter { _ in random.chance(2, in: 3) }
        return chosen.isEmpty ? acquaintances.map(\.link) : chosen
    }

    private mutating func write(_ act: ByzantineAct, _ author: SimulatedAuthor, _ index: Int) {
        let session = "s\(random.next() % 6)"
        let header = header(act, author, index, session)
        // Recorded seeds find the same only with the same bytes of these texts.
        let first = envelope(act, author, header, session, "lie \(header.dot.sequence)")
        let links = some()
        for link in links { send(author.originFrame(conversation: UInt32(index)), on: link) }
        for link in links { push(first, in: index, on: link) }
        keep(first, index)
        if act != .badProof { signed.append((tables[index].id, first)) }
        if act == .newerVersion { for link in links { unknownFrame(on: link) } }
        guard act == .equivocate else { return }
        let second = envelope(act, author, header, session, "another lie")
        for link in acquaintances.map(\.link) where !links.contains(link) || links.count == 1 {
            send(author.originFrame(conversation: UInt32(index)), on: link)
            push(second, in: index, on: link)
        }
        keep(second, index)
        signed.append((tables[index].id, second))
    }

    private mutating func keep(_ bytes: Slice, _ index: Int) {
        // It was encoded here, so it can be decoded.
        guard let envelope = try? Envelope(decoding: bytes) else { return }
        remember(bytes, envelope, in: index)
    }

    private mutating func header(
        _ act: ByzantineAct,
        _ author: SimulatedAuthor,
        _ index: Int,
        _ session: String
    ) -> EnvelopeHeader {
        var sequence = sequences[index]
        if act == .sequenceBack {
            sequence = 1 + random.next() % sequence
        } else {
            sequences[index] += 1
        }
        let tag = author.tag(session)
        let heard = known.filter { $0.envelope.header.tag == tag }.map(\.envelope.header)
        var header = author.header(session, sequence)
        header.revision = 1 + (heard.map(\.revision).max() ?? 0)
        header.context = context(heard, besides: author.origin, act)
        switch act {
        case .revisionJump: header.revision = Limits.sequenceEnd - 1 - random.next() % 3
        case .lowRevision: header.revision = 1
        case .outOfTurn:
            header.next = [
                ParticipantID(conversation: author.table.id, device: author.device, using: crypto)
            ]
        case .blindTombstone:
            header.isTombstone = true
            header.context = []
        default: break
        }
        header.revision = min(header.revision, Limits.sequenceEnd - 1)
        return header
    }

    /// The highest sequence of each origin that it received in a session, or invented sequences.
    private mutating func context(
        _ heard: [EnvelopeHeader],
        besides own: OriginID,
        _ act: ByzantineAct
    ) -> [Dot] {
        var highest: [Dot] = []
        for dot in heard.map(\.dot).sorted() where dot.origin != own {
            if highest.last?.origin == dot.origin { highest.removeLast() }
            highest.append(dot)
        }
        if random.chance(1, in: 4) { highest.removeAll { _ in random.chance(1, in: 2) } }
        guard act == .falseContext else { return Array(highest.prefix(Limits.contextOrigins)) }
        let invented = highest.map { Dot(origin: $0.origin, sequence: $0.sequence + 1_000_000) }
        return Array(invented.prefix(Limits.contextOrigins))
    }

    private mutating func envelope(
        _ act: ByzantineAct,
        _ author: SimulatedAuthor,
        _ header: EnvelopeHeader,
        _ session: String,
        _ text: String
    ) -> Slice {
        let other = act == .unreadable ? "another session" : session
        var more: [UInt8] = []
        // Two items of a later version: a number and a text.
        if act == .newerVersion { more = [0x07, 0x62, 0x68, 0x69] }
        let whole = author.envelope(header, session: other, text: text, moreItems: more)
        guard act == .badProof else { return whole }
        var bytes = whole.bytes
        bytes[bytes.count - 1] ^= 1
        return Slice(bytes)
    }

    private mutating func unknownFrame(on link: LinkID) {
        var bytes: [UInt8] = []
        let body = random.bytes(Int(random.next() % 40))
        FrameHeader(length: body.count, type: 200).append(to: &bytes)
        pending.append(LinkSend(link: link, bytes: bytes + body))
    }

    private mutating func replay() {
        guard !known.isEmpty else { return }
        for link in some() {
            for _ in 0..<(1 + random.next() % 4) {
                let (conversation, bytes, _) = known[Int(random.next() % UInt64(known.count))]
                push(bytes, in: conversation, on: link)
            }
        }
    }

    private mutating func garbage() {
        guard let link = some().first else { return }
        pending.append(LinkSend(link: link, bytes: random.bytes(Int(1 + random.next() % 400))))
    }

    private mutating func falseHave(_ index: Int) {
        // Positions that descend would only end the link.
        lastPosition += random.next() % 3
        let author = SimulatedAuthor(crypto: crypto, table: tables[index])
        let entry = HaveEntry(
            position: lastPosition,
            tag: author.tag("s\(random.next() % 6)"),
            dot: Dot(origin: author.origin, sequence: 1 + random.next() % 99),
            revision: 1 + random.next() % 99,
            digestPrefix: random.next()
        )
        for link in some() {
            send(.have(HaveList(conversation: UInt32(index), entries: [entry])), on: link)
        }
    }

    private mutating func introduceNobody(_ index: Int) {
        let stranger = SimulatedCryptography(seed: random.next())
        let author = SimulatedAuthor(crypto: stranger, table: tables[index])
        let record = OriginRecord(
            deviceKey: stranger.devicePublicKey,
            epoch: Epoch(1),
            certificate: crypto.sign(author.device.certifiedBytes.span.bytes)
        )
        for link in some() {
            send(.origin(OriginFrame(conversation: UInt32(index), record: record)), on: link)
        }
    }
}
