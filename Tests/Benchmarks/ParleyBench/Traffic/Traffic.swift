import ParleyCore
import ParleyKeys

/// Envelopes that were sealed and signed before the measurement.
///
/// Envelope n of a conversation has position n + 1 and belongs to session n modulo the
/// conversation's sessions; each round over the sessions replaces the messages of all of them.
/// Authors of a conversation take turns within a round, and begin each round one later.
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
        /// The number of authors of a conversation, each of which replaces another's message.
        var authors = 1

        /// The part of one conversation.
        fileprivate var part: Shape {
            Shape(
                sessions: sessions / conversations,
                count: count / conversations,
                size: size,
                batch: batch,
                authors: authors
            )
        }
    }

    /// An envelope in `bytes`.
    fileprivate struct Item: Sendable {
        let conversation: UInt32
        let position: UInt64
        let start: Int
        let proofStart: Int
        let end: Int
    }

    let shape: Shape
    /// All envelopes, one after the other.
    private let bytes: Slice
    /// The envelopes in the order in which the author sends them.
    private let items: [Item]
    /// The average size of an envelope in the frames in which the author sends it, in bytes.
    let frameBytes: Double
    /// The credit in bytes that the envelopes up to each one use, that one included.
    private let creditUsed: [UInt64]

    /// The number of envelopes that are framed to find their average size.
    private static let sampleCount = 1_024

    var count: Int { shape.count }

    /// The number of envelopes of one conversation.
    var countOfOne: Int { shape.part.count }

    /// The sum of the sequences of one conversation, which a reader reaches that has received every
    /// envelope of it once.
    var sequenceSum: UInt64 {
        let each = UInt64(countOfOne / shape.authors)
        return UInt64(shape.authors) * (each * (each + 1) / 2)
    }

    /// Makes the traffic of the authors of each conversation, in the order of their numbers.
    init(_ shape: Shape, by authors: [[Author]]) {
        self.shape = shape
        let makers = authors.prefix(shape.conversations).enumerated().map { number, authors in
            var maker = TrafficMaker(
                Array(authors.prefix(shape.authors)),
                shape.part,
                conversation: UInt32(number)
            )
            maker.addAll()
            return maker
        }
        var bytes: [UInt8] = []
        var parts: [[Item]] = []
        for maker in makers {
            parts.append(maker.items.map { $0.moved(by: bytes.count) })
            bytes += maker.bytes
        }
        let items = (0..<shape.part.count).flatMap { index in parts.map { $0[index] } }
        self.bytes = Slice(bytes)
        self.items = items
        var used: UInt64 = 0
        creditUsed = items.map { item in
            used += UInt64(EnvelopeFrame.prefixBytes + item.end - item.start)
            return used
        }
        let sample = items.prefix(Self.sampleCount)
        frameBytes = Double(Self.frames(sample, self.bytes).count) / Double(sample.count)
    }

    /// The frames in which a node sends these envelopes when it sends them together.
    func frames(_ range: Range<Int>) -> [UInt8] { Self.frames(items[range], bytes) }

    /// The number of envelopes in `range` that may be sent if all before them were, and `credit`
    /// bytes are granted in all.
    func affordable(_ range: Range<Int>, credit: UInt64) -> Int {
        creditUsed[range].prefix { $0 <= credit }.count
    }

    private static func frames(_ items: ArraySlice<Item>, _ bytes: Slice) -> [UInt8] {
        var frames: [UInt8] = []
        var rest = items
        while let first = rest.first {
            let run = rest.prefix { $0.conversation == first.conversation }
            var writer = BatchFrameWriter(
                conversation: first.conversation,
                capacity: run.reduce(0) { $0 + $1.end - $1.start }
            )
            for item in run {
                writer.append(
                    .whole(bytes[item.start..<item.end]),
                    proofStart: item.proofStart - item.start,
                    hops: 0,
                    position: item.position
                )
            }
            if frames.isEmpty { frames = writer.finish() } else { frames += writer.finish() }
            rest = rest[run.endIndex...]
        }
        return frames
    }
}

extension Traffic.Item {
    fileprivate func moved(by offset: Int) -> Traffic.Item {
        Traffic.Item(
            conversation: conversation,
            position: position,
            start: start + offset,
            proofStart: proofStart + offset,
            end: end + offset
        )
    }
}

/// Makes the envelopes of one conversation of a `Traffic`, batch by batch.
private struct TrafficMaker {
    let authors: [Author]
    let shape: Traffic.Shape
    let conversation: UInt32
    var bytes: [UInt8] = []
    var items: [Traffic.Item] = []
    private var random = SystemRandomNumberGenerator()
    private let tags: [SessionTag]
    private let identifiers: [SessionUUID]

    init(_ authors: [Author], _ shape: Traffic.Shape, conversation: UInt32) {
        self.authors = authors
        self.shape = shape
        self.conversation = conversation
        var random = SystemRandomNumberGenerator()
        identifiers = (0..<shape.sessions).map { _ in
            SessionUUID(Bytes16(random.next(), random.next()))
        }
        tags = identifiers.map { authors[0].tag(of: $0) }
        bytes.reserveCapacity(shape.count * (shape.size + 512))
        items.reserveCapacity(shape.count)
    }

    mutating func addAll() {
        for start in stride(from: 0, to: shape.count, by: shape.batch) {
            add(start..<min(start + shape.batch, shape.count))
        }
    }

    private mutating func add(_ range: Range<Int>) {
        let drafts = range.map { draft($0) }
        for (index, (draft, proof)) in zip(range, zip(drafts, proofs(of: drafts))) {
            let envelope = Envelope.encode(
                headerBytes: draft.header,
                body: draft.body,
                proof: proof
            )
            let start = bytes.count
            bytes += envelope
            items.append(
                Traffic.Item(
                    conversation: conversation,
                    position: UInt64(index + 1),
                    start: start,
                    proofStart: start + Envelope.proofStart(draft.header, body: draft.body),
                    end: bytes.count
                )
            )
        }
    }

    /// The proofs of the drafts, of which each author has signed its own as one batch.
    private func proofs(of drafts: [Draft]) -> [EnvelopeProof] {
        var proofs = authors.map { author in
            let digests = drafts.filter { $0.origin == author.origin }.map { draft in
                Envelope.digest(
                    headerBytes: draft.header,
                    body: draft.body,
                    in: author.conversation,
                    using: author.crypto
                )
            }
            return (author.origin, BatchTree.proofs(of: digests, using: author.crypto)[...])
        }
        return drafts.compactMap { draft in
            proofs.firstIndex { $0.0 == draft.origin }.flatMap { proofs[$0].1.popFirst() }
        }
    }

    private struct Draft {
        let origin: OriginID
        let header: Slice
        let body: Slice
    }

    private mutating func draft(_ index: Int) -> Draft {
        let (round, session) = index.quotientAndRemainder(dividingBy: shape.sessions)
        let author = author(of: index)
        let others = (1..<authors.count).compactMap { back -> Dot? in
            let earlier = index - back * shape.sessions
            return earlier < 0 ? nil : dot(of: earlier)
        }
        let header = EnvelopeHeader(
            tag: tags[session],
            dot: dot(of: index),
            revision: UInt64(round + 1),
            context: others.sorted { $0.origin < $1.origin }
        )
        let headerBytes = Slice(header.encoded())
        let plaintext = content(of: session, index)
        let body = author.seal(plaintext, headerBytes: headerBytes, random: &random)
        return Draft(origin: author.origin, header: headerBytes, body: body)
    }

    private func author(of index: Int) -> Author {
        authors[(index + index / shape.sessions) % authors.count]
    }

    /// Each author has one of `authors.count` envelopes in a row within a round.
    private func dot(of index: Int) -> Dot {
        Dot(origin: author(of: index).origin, sequence: UInt64(index / authors.count + 1))
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
