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
                Hello(wireVersions: 1...1, software: "", deviceName: "", processNonce: 9)
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
        case .want: return .want(want)
        case .blobWant:
            return .blobWant(BlobWant(conversation: 0, blob: blob, chunks: [0]))
        case .blobChunk:
            return .blobChunk(BlobChunk(conversation: 0, blob: blob, index: 0, bytes: .empty))
        case .audit:
            return .audit(Audit(conversation: 0, ownPosition: 0, peerPosition: 0, sums: sums))
        case .credit: return .credit(Credit(envelopeBytes: 1, blobBytes: 1))
        case .ping: return .ping(1)
        case .pong: return .pong(1)
        case .peers: return .peers(PeerAddresses(conversation: 0, peers: []))
        case .pairing: return nil
        case .origin: return Self.author.originFrame
        }
    }

    static let attacks: [Attack] = [
        Attack("plain text", .opened, Array("GET / HTTP/1.1\r\n\r\n".utf8), .malformed),
        Attack("hello twice", .greeted, Puppet().hello, .malformed),
        Attack("hello in the middle", .member, Puppet().hello, .malformed),
        Attack("five tags", .greeted, .conversations(ConversationTags(tags: many(5))), .malformed),
        Attack("too many tags", .member, tooManyTags, .overLimit),
        Attack("feed twice", .member, feed(0), .malformed),
        Attack("feed of an unknown conversation", .member, feed(8), .overLimit),
        Attack("stored beyond what was sent", .member, stored(1), .overLimit),
        Attack("stored at the end of numbers", .member, stored(.max), .overLimit),
        Attack("unknown conversation", .member, ofConversation(99), .overLimit),
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
        for _ in 0..<9 {
            Frame.conversations(ConversationTags(tags: many(512))).append(to: &bytes)
        }
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
