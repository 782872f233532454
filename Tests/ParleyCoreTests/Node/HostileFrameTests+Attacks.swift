import ParleyCore
import ParleyFaults

extension HostileFrameTests {
    private static let table = SimulatedConversation(1)
    private static let author = SimulatedAuthor(
        crypto: SimulatedCryptography(seed: 2),
        table: table
    )
    private static let dot = author.dot(1)

    private static func entry(_ position: UInt64, _ sequence: UInt64 = 1) -> HaveEntry {
        HaveEntry(
            position: position,
            tag: author.tag("s"),
            dot: author.dot(sequence),
            revision: 1,
            digestPrefix: 1
        )
    }

    private static var envelope: Slice {
        author.envelope(author.header("s", 1), session: "s", text: "x")
    }

    private static func framed(_ type: FrameType, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        FrameHeader(length: body.count, type: type.rawValue).append(to: &bytes)
        return bytes + body
    }

    private static func prefixed(_ envelope: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: EnvelopeFrame.prefixBytes) + envelope
    }

    /// A frame of each type as an honest member sends it.
    func sample(_ type: FrameType) -> Frame? {
        let list = HaveList(conversation: 0, entries: [Self.entry(1)])
        let want = WantList(conversation: 0, entries: [Self.entry(1)])
        let blob = BlobID(Bytes32(1, 2, 3, 4))
        let sums = [UInt64](repeating: 0, count: Audit.buckets)
        switch type {
        case .hello:
            return .hello(
                Hello(
                    wireVersions: NodeConfiguration.spoken,
                    software: "",
                    deviceName: "",
                    processNonce: 9
                )
            )
        case .goodbye: return .goodbye(Goodbye(reason: .other))
        case .conversations: return Puppet(table: SimulatedConversation(8)).tags()
        case .envelope: return Self.author.frame(Self.envelope, position: 1)
        case .stored: return .stored(Stored(conversation: 0, position: 0))
        case .feed:
            return .feed(
                FeedRequest(conversation: 0, since: .beginning, ownIncarnation: 1, ownPosition: 0)
            )
        case .have: return .have(list)
        case .members: return .members(MembersFrame(conversation: 0, sum: 1))
        case .receipts:
            let receipt = Receipt(
                device: 1,
                counter: 1,
                sealed: Slice([UInt8](repeating: 0, count: 64))
            )
            let origin = Self.author.origin
            return .receipts(ReceiptsFrame(conversation: 0, origin: origin, receipts: [receipt]))
        case .knock: return .knock(.refused(invite: 1, .unknown))
        case .signal: return .signal(Self.author.signal(content: [], 1))
        case .want: return .want(want)
        case .blobWant:
            return .blobWant(BlobWant(conversation: 0, blob: blob, chunks: [0]))
        case .blobChunk:
            return .blobChunk(BlobChunk(conversation: 0, blob: blob, index: 0, bytes: .empty))
        case .audit:
            return .audit(Audit(conversation: 0, ownPosition: 0, peerPosition: 0, sums: sums))
        case .credit: return .credit(Credit(envelopeBytes: 1, blobBytes: 1, names: 1))
        case .ping: return .ping(1)
        case .pong: return .pong(1)
        case .peers:
            let address = PeerAddress(device: Self.author.device, address: "host:1")
            return .peers(PeerAddresses(conversation: 0, peers: [address]))
        case .pairing: return .pairing(.confirm)
        case .origin: return Self.author.originFrame
        case .spare: return .spare(true)
        }
    }

    static let attacks: [Attack] = [
        Attack("plain text", .opened, Array("GET / HTTP/1.1\r\n\r\n".utf8), .malformed),
        Attack("hello twice", .greeted, Puppet().hello, .malformed),
        Attack("hello in the middle", .member, Puppet().hello, .malformed),
        Attack("five tags", .greeted, .conversations(ConversationTags(tags: many(5))), .malformed),
        Attack("seven tags", .greeted, .conversations(ConversationTags(tags: many(7))), .malformed),
        Attack("no tags", .greeted, .conversations(ConversationTags(tags: [])), .malformed),
        Attack("too many tags", .member, tooManyTags, .overLimit),
        Attack("a tag twice", .greeted, tagsTwice, .malformed),
        Attack("tags again", .member, Puppet().tags(), .malformed),
        Attack("credit that decreases", .member, lessCredit, .malformed),
        Attack("a watermark with a digest", .member, watermark, .malformed),
        Attack("not found with a position", .member, notFound, .malformed),
        Attack("short frames", .opened, shortFrames, .malformed),
        Attack("feed twice", .member, feed(0), .malformed),
        Attack("feed of an unknown conversation", .member, feed(8), .overLimit),
        Attack("stored beyond what was sent", .member, stored(1), .overLimit),
        Attack("stored at the end of numbers", .member, stored(.max), .overLimit),
        Attack("unknown conversation", .member, ofConversation(99), .overLimit),
        Attack("chunk of an unknown conversation", .member, chunk(99), .overLimit),
        Attack("position at the end of numbers", .member, have(.max), .overLimit),
        Attack("position beyond all", .member, have(1 << 62), .overLimit),
        Attack(
            "envelope at a position beyond all",
            .member,
            author.frame(envelope, position: 1 << 62),
            .overLimit
        ),
        Attack("no envelope", .member, framed(.envelope, prefixed([])), .malformed),
        Attack("half an envelope", .member, half, .malformed),
        Attack("bytes after an envelope", .member, longer, .malformed),
        Attack("uncertified envelope", .member, author.frame(envelope, position: 1), .forged),
        Attack("not a signature", .member, badCertificate, .forged),
    ]

    private static func many(_ count: Int) -> [Bytes16] {
        (0..<count).map { Bytes16(UInt64($0), 77) }
    }

    private static var tooManyTags: [UInt8] {
        var bytes: [UInt8] = []
        for group in 0..<9 {
            let tags = (0..<512).map { Bytes16(UInt64(512 * group + $0), 77) }
            Frame.conversations(ConversationTags(tags: tags)).append(to: &bytes)
        }
        return bytes
    }

    private static var tagsTwice: Frame {
        .conversations(ConversationTags(tags: many(7) + many(1)))
    }

    private static var lessCredit: Frame {
        .credit(Credit(envelopeBytes: (1 << 30) - 1, blobBytes: 1 << 30, names: 1 << 30))
    }

    /// Frames that come down to a position after one that the node took.
    static let descents: [[Frame]] = [
        [.have(watermarks(2, 1))],
        [.have(watermarks(2)), .have(watermarks(1))],
        [.have(watermarks(2)), author.originFrame, author.frame(envelope, position: 1)],
        [author.originFrame, author.frame(envelope, position: 2), .have(watermarks(1))],
    ]

    private static func watermarks(_ positions: UInt64...) -> HaveList {
        HaveList(conversation: 0, entries: positions.map { .watermark(position: $0) })
    }

    private static var watermark: Frame {
        var entry = HaveEntry.watermark(position: 1)
        entry.digestPrefix = 1
        return .have(HaveList(conversation: 0, entries: [entry]))
    }

    private static var notFound: Frame {
        var entry = entry(1)
        entry.revision = 0
        return .have(HaveList(conversation: 0, entries: [entry]))
    }

    /// A hello of a node that takes only frames that are a byte shorter than all must take.
    private static var shortFrames: [UInt8] {
        let hello = Hello(
            wireVersions: NodeConfiguration.spoken,
            software: "",
            deviceName: "",
            processNonce: 9
        )
        var bytes: [UInt8] = []
        Frame.hello(hello).append(to: &bytes)
        let least = UInt64(Limits.frameBytes)
        bytes.replace(Item.number(least), with: Item.number(least - 1))
        return bytes
    }

    private static func feed(_ number: UInt32) -> Frame {
        .feed(
            FeedRequest(conversation: number, since: .beginning, ownIncarnation: 7, ownPosition: 0)
        )
    }

    private static func stored(_ position: UInt64) -> Frame {
        .stored(Stored(conversation: 0, position: position))
    }

    private static func ofConversation(_ number: UInt32) -> Frame {
        .have(HaveList(conversation: number, entries: [entry(1)]))
    }

    private static func chunk(_ number: UInt32) -> Frame {
        let blob = BlobID(Bytes32(1, 2, 3, 4))
        return .blobChunk(BlobChunk(conversation: number, blob: blob, index: 0, bytes: .empty))
    }

    private static func have(_ position: UInt64) -> Frame {
        .have(HaveList(conversation: 0, entries: [entry(position)]))
    }

    private static var half: [UInt8] {
        framed(.envelope, prefixed(envelope[0..<envelope.count / 2].bytes))
    }

    private static var longer: [UInt8] {
        framed(.envelope, prefixed(envelope.bytes + [0]))
    }

    private static var badCertificate: Frame {
        let record = OriginRecord(
            deviceKey: author.crypto.devicePublicKey,
            epoch: Epoch(1),
            certificate: Signature(first: .zero, second: .zero)
        )
        return .origin(OriginFrame(conversation: 0, record: record))
    }
}
