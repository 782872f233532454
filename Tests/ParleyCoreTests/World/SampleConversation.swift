import ParleyCore
import ParleyFaults

/// A conversation without a node, with what a node would hand it: a cache, rows and tickets.
struct SampleConversation {
    static let table = SimulatedConversation(1)
    /// The device that the conversation is on.
    static let node = SimulatedCryptography(seed: 1)
    static let epoch = Epoch(77)

    var conversation: Conversation
    var cache: EnvelopeCache
    /// The commit that is being gathered.
    var ticket = Ticket(1)
    let crypto = SampleConversation.node

    /// A conversation that knows these writers; `isStored` says whether an envelope of each is on
    /// disk already.
    init(
        role: Capability.Role = .writer,
        writers: [SimulatedAuthor] = [],
        isStored: Bool = true,
        limits: Limits = Limits(),
        incarnations: [FeedIncarnation] = [],
        cursors: [DeviceID: FeedCursor] = [:],
        cacheBytes: Int = 1 << 20
    ) {
        var recovered = RecoveredConversation(
            record: Self.table.record(number: 1, role: role, device: Self.device)
        )
        recovered.incarnations = incarnations
        recovered.cursors = cursors
        if isStored {
            for writer in writers { recovered.origins[writer.origin] = writer.record }
        }
        conversation = Conversation(
            recovered: recovered,
            device: Self.device,
            epoch: Self.epoch,
            limits: limits,
            using: Self.node
        )
        cache = EnvelopeCache(limit: cacheBytes)
        guard !isStored else { return }
        for writer in writers { introduce(writer) }
    }

    static var device: DeviceID { DeviceID(publicKey: node.devicePublicKey, using: node) }

    /// The device itself, as an author of envelopes.
    static var own: SimulatedAuthor {
        var author = SimulatedAuthor(crypto: node, table: table)
        author.epoch = epoch
        return author
    }

    /// A peer says who the writer is.
    mutating func introduce(_ writer: SimulatedAuthor) {
        // A writer of this table has a certificate, so that nothing is thrown.
        guard
            let unused = try? conversation.introduced(writer.record, using: crypto)
        else { return }
        conversation.add(unused)
    }

    /// Merges an envelope that came on the link `source`, or was written here if that is nil.
    ///
    /// Only an envelope whose session was looked up can take the path of usual merges.
    mutating func merge(
        _ envelope: Envelope,
        from source: LinkID? = LinkID(1),
        hops: UInt8 = 1,
        mayGrow: Bool = true,
        in session: Int32? = nil
    ) -> MergeReport {
        conversation.merge(
            Arrival(
                envelope: envelope,
                head: head(envelope),
                hops: hops,
                source: source,
                session: session
            ),
            MergeTerms(
                ticket: ticket,
                mayGrow: mayGrow,
                openLinks: (0..<10).map { LinkID($0) }
            ),
            cache: &cache,
            using: crypto
        )
    }

    /// A peer announces an envelope that nobody is expected to push.
    mutating func want(_ entry: HaveEntry, from link: LinkID) {
        _ = conversation.wants.announced(entry, by: link, author: nil, at: .start)
    }

    /// Merges several envelopes, and writes the rows of their sessions.
    mutating func take(_ envelopes: [Envelope], from source: LinkID? = LinkID(1)) {
        for envelope in envelopes { _ = merge(envelope, from: source) }
        writeAll()
    }

    /// Writes the rows of all sessions with the commit that is being gathered, and begins another.
    mutating func writeAll() {
        for session in conversation.sessions.indices {
            _ = conversation.write(Int32(session), with: ticket)
        }
        ticket = Ticket(ticket.value + 1)
    }

    func head(_ envelope: Envelope) -> Head {
        envelope.head(in: conversation.record.id, using: crypto)
    }

    /// The name of an envelope in announcements and wants.
    func name(_ envelope: Envelope) -> EnvelopeName { entry(envelope).name }

    /// The entry with which a peer announces an envelope.
    func entry(_ envelope: Envelope, position: UInt64 = 0) -> HaveEntry {
        let head = head(envelope)
        return HaveEntry(
            position: position,
            tag: envelope.header.tag,
            dot: head.dot,
            revision: head.revision,
            digestPrefix: head.digest.words.0
        )
    }
}

extension SimulatedAuthor {
    /// A writer of the sample conversation by number, from 2; 1 is the node itself.
    init(writer: UInt64) {
        self.init(crypto: SimulatedCryptography(seed: writer), table: SampleConversation.table)
    }

    /// A guest at a seat of this writer's device.
    func guest(_ number: UInt64, at seat: Int = 1) -> SimulatedAuthor {
        var guest = SimulatedAuthor(crypto: SimulatedCryptography(seed: number), table: table)
        guest.host = SeatNumber(seat).map { (crypto, $0) }
        return guest
    }

    var participant: ParticipantID {
        ParticipantID(conversation: table.id, device: device, using: crypto)
    }

    /// A signed envelope of a session known by its name, a sticker if it is `on` a message.
    func writes(
        _ session: String,
        _ sequence: UInt64 = 1,
        revision: UInt64 = 1,
        context: [Dot] = [],
        next: [ParticipantID] = [],
        blobs: [BlobReference] = [],
        isTombstone: Bool = false,
        text: String = "x",
        place: UInt64 = 1,
        on message: Dot? = nil,
        role: MessageRole? = nil
    ) throws -> Envelope {
        var header = header(session, sequence, revision: revision, context: context)
        header.isTombstone = isTombstone
        header.next = next
        header.blobs = blobs
        let types = blobs.map {
            PictureDescription(type: "image/png", hash: $0.id.value, size: $0.size)
        }
        let body = MessageBody(
            session: SessionUUID(session: session),
            place: place,
            sentAt: 0,
            url: text,
            layout: .template(TemplateLayout(caption: text)),
            placement: message.map { StickerPlacement(on: $0, x: 1, y: 2) },
            blobTypes: types,
            role: role
        )
        return try Envelope(decoding: envelope(header, body: body))
    }
}

extension BlobReference {
    init(_ number: UInt64) {
        self.init(id: BlobID(Bytes32(number, 0, 0, 9)), size: 100 + number)
    }
}
