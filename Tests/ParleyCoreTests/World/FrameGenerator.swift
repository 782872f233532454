import ParleyCore
import ParleyFaults

/// Legal frames of a member, whose contents make little sense.
struct FrameGenerator {
    private var random: SeededRandom
    private let table: SimulatedConversation
    private var made: [Slice] = []
    /// The totals of credit, which never decrease; a test may have sent the first one.
    private var credit: UInt64 = 1 << 30
    /// The highest position so far: positions never descend.
    private var position: UInt64 = 0

    init(seed: UInt64, table: SimulatedConversation) {
        random = SeededRandom(seed: seed)
        self.table = table
    }

    mutating func next() -> Frame {
        let number: UInt32 = random.chance(1, in: 40) ? 3 : 0
        switch Int.random(in: 0..<26, using: &random) {
        case 0...7: return envelope(number)
        case 8...10: return .have(HaveList(conversation: number, entries: announced()))
        case 11...12: return .want(WantList(conversation: number, entries: entries()))
        case 13...14: return origin(number)
        case 15:
            return .stored(
                Stored(
                    conversation: number,
                    position: random.chance(1, in: 10) ? small(3) : 0,
                    isFull: random.chance(1, in: 3)
                )
            )
        case 16: return .blobWant(BlobWant(conversation: number, blob: blob, chunks: [0, 3]))
        case 17...18: return chunk(number)
        case 19: return audit(number)
        case 20:
            credit += small(1 << 40)
            return .credit(Credit(envelopeBytes: credit, blobBytes: credit, names: credit))
        case 21: return .ping(random.next())
        case 22: return .pong(random.next())
        case 23: return peers(number)
        case 24 where random.chance(1, in: 10):
            return .feed(
                FeedRequest(
                    conversation: number,
                    since: FeedCursor(incarnation: small(3), position: random.next()),
                    ownIncarnation: small(3),
                    ownPosition: random.next()
                )
            )
        default:
            return .conversations(
                ConversationTags(tags: (0..<8).map { _ in Bytes16(random.next(), 1) })
            )
        }
    }

    private var author: SimulatedAuthor {
        mutating get {
            var author = SimulatedAuthor(
                crypto: SimulatedCryptography(seed: 2 + small(3)),
                table: table
            )
            author.epoch = Epoch(small(3))
            return author
        }
    }

    private var blob: BlobID {
        mutating get { BlobID(Bytes32(small(3), 0, 0, 0)) }
    }

    private mutating func small(_ end: UInt64) -> UInt64 {
        UInt64.random(in: 0..<end, using: &random)
    }

    private mutating func header(_ author: SimulatedAuthor, _ session: String) -> EnvelopeHeader {
        var context: [Dot] = []
        for device in UInt64(2)..<5 where random.chance(1, in: 2) {
            let other = SimulatedAuthor(crypto: SimulatedCryptography(seed: device), table: table)
            if other.origin != author.origin { context.append(other.dot(1 + small(4))) }
        }
        let sequence = 1 + small(5)
        var header = author.header(session, sequence, revision: 1 + small(6), context: context)
        header.isTombstone = random.chance(1, in: 10)
        if random.chance(1, in: 6) {
            header.next = [ParticipantID(Bytes16(small(3), 0))]
        }
        if random.chance(1, in: 6) {
            header.blobs = [BlobReference(id: blob, size: 1 + small(200_000))]
        }
        return header
    }

    private mutating func envelope(_ number: UInt32) -> Frame {
        let author = author
        let session = "s\(small(4))"
        let header = header(author, session)
        let types = header.blobs.map { _ in
            PictureDescription(type: "image/png", hash: .zero, size: 1)
        }
        let bytes = author.envelope(
            header,
            session: random.chance(1, in: 10) ? "another" : session,
            text: "\(small(3))",
            blobTypes: types
        )
        made.append(bytes)
        let hops = UInt8(truncatingIfNeeded: random.next())
        return .envelope(
            EnvelopeFrame(
                conversation: number,
                hops: hops,
                position: nextPosition(),
                envelope: bytes
            )
        )
    }

    /// 0, or a position that is not below the earlier ones.
    private mutating func nextPosition() -> UInt64 {
        guard !random.chance(1, in: 4) else { return 0 }
        position += small(3)
        return position
    }

    private mutating func entries() -> [HaveEntry] {
        (0...small(5)).map { _ in
            let author = author
            return HaveEntry(
                position: small(50),
                tag: author.tag("s\(small(5))"),
                dot: author.dot(1 + small(5)),
                revision: 1 + small(6),
                digestPrefix: random.next()
            )
        }
    }

    /// Announced envelopes, watermarks, and envelopes that are not found.
    private mutating func announced() -> [HaveEntry] {
        entries().map { entry in
            switch small(7) {
            case 0:
                position += 1
                return .watermark(position: position)
            case 1:
                return .notFound(entry.name)
            default:
                var entry = entry
                entry.position = nextPosition()
                return entry
            }
        }
    }

    /// The origin frames of all authors that it makes envelopes of.
    var origins: [Frame] {
        (0..<UInt64(3)).flatMap { device in
            (0..<UInt64(3)).map { epoch in
                var author = SimulatedAuthor(
                    crypto: SimulatedCryptography(seed: 2 + device),
                    table: table
                )
                author.epoch = Epoch(epoch)
                return author.originFrame
            }
        }
    }

    private mutating func origin(_ number: UInt32) -> Frame {
        let author = author
        let record = OriginRecord(
            deviceKey: author.crypto.devicePublicKey,
            epoch: author.epoch,
            certificate: table.certificate(of: author.device)
        )
        return .origin(OriginFrame(conversation: number, record: record))
    }

    private mutating func chunk(_ number: UInt32) -> Frame {
        let count = random.chance(1, in: 3) ? 0 : Int(small(70_000)) % Limits.blobChunkBytes
        let bytes = Slice([UInt8](repeating: 1, count: count))
        return .blobChunk(
            BlobChunk(conversation: number, blob: blob, index: small(4), bytes: bytes)
        )
    }

    private mutating func audit(_ number: UInt32) -> Frame {
        let sums = (0..<Audit.buckets).map { _ in small(3) }
        return .audit(
            Audit(
                conversation: number,
                ownPosition: small(40),
                peerPosition: small(40),
                sums: sums
            )
        )
    }

    private mutating func peers(_ number: UInt32) -> Frame {
        let address = PeerAddress(
            device: DeviceID(Bytes32(small(5), 0, 0, 0)),
            address: "host-\(small(50))"
        )
        return .peers(PeerAddresses(conversation: number, peers: [address]))
    }
}
