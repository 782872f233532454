import ParleyCore
import ParleyKeys
import Testing

/// A frame, and the same as items.
struct SampleFrame {
    let name: String
    let frame: Frame
    let body: Item?

    private init(_ name: String, _ frame: Frame, _ items: [(UInt64, Item)]) {
        self.name = name
        self.frame = frame
        body = .map(nil, items)
    }

    /// One of each kind, in the order of their numbers; of some there are several.
    static func all(_ world: World) throws -> [SampleFrame] {
        try [hello()] + goodbyes() + [conversations(world), envelope(world)]
            + stored() + [feed()] + haves(world) + [want(world)]
            + blobs(world) + [audit(), credit()] + pings() + [peers(world)] + pairing()
            + [origin(world), guest(world)] + spares() + [signal(world)]
            + members(world) + receipts(world) + knocks(world)
    }

    /// The digest of the first sample envelope.
    private static func digest(_ world: World) throws -> Bytes32 {
        let vectors = try EnvelopeVectors(world)
        return try Bytes32(bytes(vectors.envelopes[0].digest)) ?? .zero
    }

    // MARK: The link

    private static func hello() -> SampleFrame {
        let hello = Hello(
            wireVersions: NodeConfiguration.spoken,
            software: "parley 1.0",
            deviceName: "kitchen",
            processNonce: 0x0102_0304_0506_0708
        )
        return SampleFrame(
            "hello",
            .hello(hello),
            [
                (1, .text("magic", "parley")), (3, .number("lowest version", 2)),
                (5, .number("highest version", 2)), (7, .text("software", "parley 1.0")),
                (9, .text("device name", "kitchen")),
                (11, .number("process nonce", hello.processNonce)),
                (13, .number("frame bytes", 262_144)), (15, .number("features", 0)),
            ]
        )
    }

    private static func goodbyes() -> [SampleFrame] {
        let text = "no conversation is shared"
        return [
            SampleFrame(
                "goodbye",
                .goodbye(Goodbye(reason: .nothingShared, text: text)),
                [(1, .number("reason", 3)), (2, .text("text", text))]
            ),
            SampleFrame(
                "goodbye, without a text",
                .goodbye(Goodbye(reason: .stopping)),
                [(1, .number("reason", 1)), (2, .text("text", ""))]
            ),
        ]
    }

    /// The tag of the side that dialled, and seven that are nobody's.
    private static func conversations(_ world: World) -> SampleFrame {
        let padding = (1...7).map { sixteen(from: UInt8($0 << 4)) }
        let tags = [world.membershipTag(role: 0)] + padding
        return SampleFrame(
            "conversations",
            .conversations(ConversationTags(tags: tags)),
            [(1, .bytes("tags", tags.flatMap(\.bytes)))]
        )
    }

    private static func credit() -> SampleFrame {
        SampleFrame(
            "credit",
            .credit(Credit(envelopeBytes: 1_048_576, blobBytes: 524_288, names: 585)),
            [
                (1, .number("envelope bytes", 1_048_576)), (3, .number("blob bytes", 524_288)),
                (5, .number("announcements", 585)),
            ]
        )
    }

    private static func pings() -> [SampleFrame] {
        let number: UInt64 = 0xffee_ddcc_bbaa_9988
        return [
            SampleFrame("ping", .ping(number), [(1, .number("number", number))]),
            SampleFrame("pong", .pong(number), [(1, .number("number", number))]),
        ]
    }

    private static func peers(_ world: World) -> SampleFrame {
        let addresses = [(0, "192.0.2.7:27275"), (1, "[2001:db8::7]:27275")]
        let peers = addresses.map { PeerAddress(device: world.devices[$0].id, address: $1) }
        let items = peers.map { peer in
            Item.array("peer", [.bytes("device", peer.device), .text("address", peer.address)])
        }
        return SampleFrame(
            "peers",
            .peers(PeerAddresses(conversation: 0, peers: peers)),
            [(1, .number("conversation", 0)), (3, .array("peers", items))]
        )
    }

    private static func pairing() -> [SampleFrame] {
        let invite = "parley:AQMFICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj9jaGVzc-dc4__cPg"
        return [
            pairing(
                "pairing",
                .commit(thirtyTwo(from: 0xa0), .invite),
                [(5, .bool("offers", true))]
            ),
            pairing("pairing, nothing to offer", .commit(thirtyTwo(from: 0xa0), .nothing)),
            pairing(
                "pairing, an own device",
                .commit(thirtyTwo(from: 0xa0), .own),
                [(7, .bool("is own", true))]
            ),
            pairing("pairing, person", .person(Slice(Array(0..<48)))),
            pairing("pairing, reveal", .reveal(thirtyTwo(from: 0xc0))),
            pairing("pairing, confirm", .confirm),
            pairing("pairing, invite", .invite(Slice(Array(invite.utf8)))),
            pairing("pairing, cancel", .cancel(.declined)),
            pairing("pairing, share", .share(Slice(Array(invite.utf8)))),
            pairing("pairing, taken", .taken(ConversationID(thirtyTwo(from: 0xe0)))),
        ]
    }

    private static func pairing(
        _ name: String,
        _ frame: PairingFrame,
        _ more: [(UInt64, Item)] = []
    ) -> SampleFrame {
        SampleFrame(
            name,
            .pairing(frame),
            [
                (1, .number("step", frame.step.rawValue)),
                (3, .bytes("payload", frame.payload.bytes)),
            ] + more
        )
    }

    private static func origin(_ world: World) throws -> SampleFrame {
        let record = try world.originRecord(0)
        return SampleFrame(
            "origin",
            .origin(OriginFrame(conversation: 0, record: record)),
            [
                (1, .number("conversation", 0)), (3, .bytes("device key", record.deviceKey)),
                (5, .number("epoch", record.epoch.value)),
                (7, .bytes("certificate", record.certificate.bytes)),
            ]
        )
    }

    static func guest(_ world: World) throws -> SampleFrame {
        let record = try world.guestRecord()
        let host = try #require(record.host)
        return SampleFrame(
            "origin, of a guest",
            .origin(OriginFrame(conversation: 0, record: record)),
            [
                (1, .number("conversation", 0)), (3, .bytes("device key", record.deviceKey)),
                (5, .number("epoch", record.epoch.value)),
                (7, .bytes("certificate", record.certificate.bytes)),
                (
                    11,
                    .array(
                        "host",
                        [
                            .bytes("device key", host.deviceKey),
                            .bytes("certificate", host.certificate.bytes),
                            .number("seat", host.seat.value),
                        ]
                    )
                ),
            ]
        )
    }

    private static func spares() -> [SampleFrame] {
        [
            SampleFrame("spare", .spare(true), [(1, .number("spare", 1))]),
            SampleFrame("spare, needed again", .spare(false), [(1, .number("spare", 0))]),
        ]
    }

    /// Somebody has the game of the first session open.
    private static func signal(_ world: World) -> SampleFrame {
        let dot = Dot(origin: world.origin(0), sequence: 7)
        let prefix = SignalFrame.prefix(of: dot, in: world.conversation)
        let sealed = world.crypto(0)
            .seal(
                Signal(.atBoard, in: world.sessions[0]).encoded().span.bytes,
                key: world.derived("parley signal", dot.origin.bytes),
                nonce: world.nonce(0xb0),
                authenticating: prefix.span.bytes
            )
        let signature = world.crypto(0).sign((prefix + sealed).span.bytes)
        return SampleFrame(
            "signal",
            .signal(
                SignalFrame(conversation: 0, dot: dot, sealed: Slice(sealed), signature: signature)
            ),
            [
                (1, .number("conversation", 0)), (3, .bytes("origin", dot.origin)),
                (5, .number("counter", 7)), (7, .number("hops", 0)),
                (9, .bytes("sealed", sealed)), (11, .bytes("signature", signature.bytes)),
            ]
        )
    }

    // MARK: Who let whom in

    private static func members(_ world: World) -> [SampleFrame] {
        let admission = KnockVectors.admission(world, number: 1)
        let sum: UInt64 = 0x0102_0304_0506_0708
        let record = Item.array(
            "entry",
            [.number("kind", 3), .bytes("record", admission.packed)]
        )
        return [
            SampleFrame(
                "members, a sum",
                .members(MembersFrame(conversation: 0, sum: sum)),
                [(1, .number("conversation", 0)), (5, .number("sum", sum))]
            ),
            SampleFrame(
                "members, an admission",
                .members(MembersFrame(conversation: 0, records: [.admission(admission)])),
                [
                    (1, .number("conversation", 0)),
                    (3, .array("records", [record])),
                ]
            ),
        ]
    }

    private static func receipts(_ world: World) -> [SampleFrame] {
        let sealed = thirtyTwo(from: 0x10).bytes + thirtyTwo(from: 0x30).bytes
        let receipt = Receipt(device: 0x0102_0304_0506_0708, counter: 17, sealed: Slice(sealed))
        let packed = Bytes16(receipt.device, receipt.counter).bytes + sealed
        let (origin, list) = (world.origin(0), [receipt, receipt])
        return [
            SampleFrame(
                "receipts",
                .receipts(ReceiptsFrame(conversation: 0, origin: origin, receipts: list)),
                [
                    (1, .number("conversation", 0)), (3, .bytes("origin", origin)),
                    (5, .bytes("receipts", packed + packed)),
                ]
            )
        ]
    }

    private static func knocks(_ world: World) -> [SampleFrame] {
        let proof = thirtyTwo(from: 0x70)
        let invite = Array("open:lobby".utf8)
        return [
            knock("knock", .knock(invite: 7, proof: proof), 1, proof.bytes),
            knock("knock, let in", .letIn(invite: 7, Slice(invite)), 2, invite),
            knock("knock, used up", .refused(invite: 7, .usedUp), 3, [2]),
        ]
    }

    private static func knock(
        _ name: String,
        _ frame: KnockFrame,
        _ step: UInt64,
        _ payload: [UInt8]
    ) -> SampleFrame {
        SampleFrame(
            name,
            .knock(frame),
            [
                (1, .number("step", step)), (3, .number("invite", 7)),
                (5, .bytes("payload", payload)),
            ]
        )
    }

    // MARK: The feed

    private static func envelope(_ world: World) throws -> SampleFrame {
        let first = try EnvelopeVectors(world).envelopes[0]
        let frame = EnvelopeFrame(
            conversation: 0,
            hops: 0,
            position: 1,
            envelope: Slice(try bytes(first.envelope))
        )
        return SampleFrame(envelope: frame)
    }

    private init(envelope frame: EnvelopeFrame) {
        name = "envelope"
        self.frame = .envelope(frame)
        body = nil
    }

    private static func stored() -> [SampleFrame] {
        let items: [(UInt64, Item)] = [
            (1, .number("conversation", 0)), (3, .number("position", 41)),
        ]
        return [
            SampleFrame("stored", .stored(Stored(conversation: 0, position: 41)), items),
            SampleFrame(
                "stored, full",
                .stored(Stored(conversation: 0, position: 41, isFull: true)),
                items + [(5, .bool("full", true))]
            ),
        ]
    }

    private static func feed() -> SampleFrame {
        let request = FeedRequest(
            conversation: 0,
            since: FeedCursor(incarnation: 0x1122_3344_5566_7788, position: 41),
            ownIncarnation: 0x99aa_bbcc_ddee_ff00,
            ownPosition: 7
        )
        return SampleFrame(
            "feed",
            .feed(request),
            [
                (1, .number("conversation", 0)), (3, .number("run", request.since.incarnation)),
                (5, .number("position", 41)), (7, .number("own run", request.ownIncarnation)),
                (9, .number("own position", 7)),
            ]
        )
    }

    /// An envelope that is announced, without and with a request to confirm its position, a
    /// watermark, and an envelope that was not found.
    private static func haves(_ world: World) throws -> [SampleFrame] {
        let announced = try announced(world)
        var notFound = announced
        notFound.position = 0
        notFound.revision = 0
        var awaited = announced
        awaited.isAwaited = true
        return [
            have("have", [announced]), have("have, a request", [awaited]),
            have("have, a position", [.watermark(position: 43)]),
            have("have, not found", [notFound]),
        ]
    }

    private static func have(_ name: String, _ entries: [HaveEntry]) -> SampleFrame {
        SampleFrame(
            name,
            .have(HaveList(conversation: 0, entries: entries)),
            [
                (1, .number("conversation", 0)),
                (3, .bytes("entries", entries.flatMap(\.packed))),
            ]
        )
    }

    private static func want(_ world: World) throws -> SampleFrame {
        let entries = [try announced(world)]
        return SampleFrame(
            "want",
            .want(WantList(conversation: 0, entries: entries)),
            [
                (1, .number("conversation", 0)),
                (3, .bytes("entries", entries.flatMap(\.packed))),
            ]
        )
    }

    private static func announced(_ world: World) throws -> HaveEntry {
        HaveEntry(
            position: 42,
            tag: world.tag(world.sessions[0]),
            dot: Dot(origin: world.origin(0), sequence: 1),
            revision: 1,
            digestPrefix: try digest(world).words.0
        )
    }

    private static func audit() -> SampleFrame {
        var sums = [UInt64](repeating: 0, count: Audit.buckets)
        sums[1] = 2
        sums[255] = 0xffff_ffff_ffff_ffff
        var packed: [UInt8] = []
        for sum in sums { packed.appendBigEndian(sum) }
        return SampleFrame(
            "audit",
            .audit(Audit(conversation: 0, ownPosition: 7, peerPosition: 42, sums: sums)),
            [
                (1, .number("conversation", 0)), (3, .number("own position", 7)),
                (5, .number("peer position", 42)), (7, .bytes("sums", packed)),
            ]
        )
    }

    // MARK: Blobs

    private static func blobs(_ world: World) throws -> [SampleFrame] {
        let picture = SampleMessage.picture(world)
        let want = BlobWant(conversation: 0, blob: picture.id, chunks: [0, 2])
        return [
            SampleFrame(
                "blobWant",
                .blobWant(want),
                [
                    (1, .number("conversation", 0)), (3, .bytes("blob", picture.id)),
                    (5, .array("chunks", [.number("index", 0), .number("index", 2)])),
                ]
            ),
            chunk("blobChunk", picture.id, picture.sealed),
            chunk("blobChunk, not here", picture.id, []),
        ]
    }

    private static func chunk(_ name: String, _ blob: BlobID, _ content: [UInt8]) -> SampleFrame {
        let chunk = BlobChunk(conversation: 0, blob: blob, index: 0, bytes: Slice(content))
        return SampleFrame(
            name,
            .blobChunk(chunk),
            [
                (1, .number("conversation", 0)), (3, .bytes("blob", blob)),
                (5, .number("index", 0)), (7, .bytes("content", content)),
            ]
        )
    }
}

extension HaveEntry {
    /// `u64 position · 16 tag · 16 origin · u64 sequence · u64 revision · u64 digest`.
    fileprivate var packed: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(isAwaited ? position | 1 << 63 : position)
        bytes += tag.bytes + dot.packed
        bytes.appendBigEndian(revision)
        bytes.appendBigEndian(digestPrefix)
        return bytes
    }
}
