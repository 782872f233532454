import ParleyCore
import ParleyKeys

/// Envelopes that were sealed and signed before the measurement, as frames.
///
/// Frame n of a conversation has position n + 1, sequence n + 1, and belongs to session n modulo
/// the conversation's sessions; each round over the sessions replaces the messages of all of them.
struct Traffic: Sendable {
    /// The parameters of the traffic.
    struct Shape: Hashable, Sendable {
        /// The number of sessions, of all conversations.
        let sessions: Int
        /// The number of envelopes, of all conversations.
        let count: Int
        /// The size of each sealed body, in bytes.
        let size: Int
        /// The number of envelopes that share a signature.
        var batch = 1 << Limits.proofDepth
        /// The number of conversations, which take turns with their envelopes.
        var conversations = 1

        /// The part of one conversation.
        fileprivate var part: Shape {
            Shape(
                sessions: sessions / conversations,
                count: count / conversations,
                size: size,
                batch: batch
            )
        }
    }

    let shape: Shape
    /// All frames in the order in which the author sends them.
    let bytes: [UInt8]
    /// The offsets of the starts of all frames and of the end of the last one.
    let offsets: [Int]

    var count: Int { shape.count }

    /// The average size of a frame, in bytes.
    var frameBytes: Double { Double(bytes.count) / Double(count) }

    /// The number of envelopes of one conversation.
    var countOfOne: Int { shape.part.count }

    /// The sum of the sequences of one conversation, which a reader reaches that has received every
    /// envelope of it once.
    var sequenceSum: UInt64 { UInt64(countOfOne) * UInt64(countOfOne + 1) / 2 }

    /// Makes the traffic of as many authors as there are conversations, in the order of their
    /// numbers.
    init(_ shape: Shape, by authors: [Author]) {
        self.shape = shape
        let makers = authors.prefix(shape.conversations).enumerated().map { number, author in
            var maker = TrafficMaker(author, shape.part, conversation: UInt32(number))
            maker.addAll()
            return maker
        }
        if makers.count == 1 {
            bytes = makers[0].bytes
            offsets = makers[0].offsets
            return
        }
        var bytes: [UInt8] = []
        var offsets = [0]
        bytes.reserveCapacity(makers.reduce(0) { $0 + $1.bytes.count })
        for index in 0..<shape.part.count {
            for maker in makers {
                bytes += maker.bytes[maker.offsets[index]..<maker.offsets[index + 1]]
                offsets.append(bytes.count)
            }
        }
        self.bytes = bytes
        self.offsets = offsets
    }
}

/// Makes the frames of one conversation of a `Traffic`, batch by batch.
private struct TrafficMaker {
    let author: Author
    let shape: Traffic.Shape
    let conversation: UInt32
    var bytes: [UInt8] = []
    var offsets = [0]
    private var random = SystemRandomNumberGenerator()
    private let tags: [SessionTag]
    private let identifiers: [SessionID]

    init(_ author: Author, _ shape: Traffic.Shape, conversation: UInt32) {
        self.author = author
        self.shape = shape
        self.conversation = conversation
        var random = SystemRandomNumberGenerator()
        identifiers = (0..<shape.sessions).map { _ in
            SessionID(Bytes16(random.next(), random.next()))
        }
        tags = identifiers.map { author.tag(of: $0) }
        bytes.reserveCapacity(shape.count * (shape.size + 512))
        offsets.reserveCapacity(shape.count + 1)
    }

    mutating func addAll() {
        for start in stride(from: 0, to: shape.count, by: shape.batch) {
            add(start..<min(start + shape.batch, shape.count))
        }
    }

    private mutating func add(_ range: Range<Int>) {
        let drafts = range.map { draft($0) }
        let digests = drafts.map { header, body in
            Envelope.digest(
                header: header,
                body: body,
                conversation: author.conversation,
                using: author.crypto
            )
        }
        let proofs = BatchTree.proofs(of: digests, using: author.crypto)
        for (index, (draft, proof)) in zip(range, zip(drafts, proofs)) {
            let envelope = Envelope.encode(
                headerBytes: draft.header,
                body: draft.body,
                proof: proof
            )
            EnvelopeFrame(
                conversation: conversation,
                hops: 0,
                position: UInt64(index + 1),
                envelope: Slice(envelope)
            ).append(to: &bytes)
            offsets.append(bytes.count)
        }
    }

    private mutating func draft(_ index: Int) -> (header: Slice, body: Slice) {
        let session = index % shape.sessions
        let header = EnvelopeHeader(
            tag: tags[session],
            dot: Dot(origin: author.origin, sequence: UInt64(index + 1)),
            revision: UInt64(index / shape.sessions + 1)
        )
        let headerBytes = Slice(header.encoded())
        let plaintext = content(of: session, index)
        let body = author.seal(plaintext, headerBytes: headerBytes, random: &random)
        return (headerBytes, body)
    }

    /// A body whose sealed size is `shape.size`, or one byte less.
    private func content(of session: Int, _ index: Int) -> [UInt8] {
        var body = MessageBody(
            session: identifiers[session],
            place: UInt64(index + 1),
            sentAt: 1_700_000_000_000,
            app: "bench",
            url: ""
        )
        let room = shape.size - SealNonce.overhead - body.encoded().count
        body.url = String(repeating: "x", count: max(0, room - (room < 256 ? 1 : 2)))
        return body.encoded()
    }
}
