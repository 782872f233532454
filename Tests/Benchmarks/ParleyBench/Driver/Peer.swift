import ParleyCore
import ParleyKeys
import ParleyTransport

/// One peer of the node under test: a device with a link, as cheap as the protocol lets it be.
///
/// It proves that it is a member, asks for the feed, grants credit as a node does, confirms what
/// came, and counts. It does not check proofs nor keep anything: the node does that.
final class Peer {
    /// What the peer is there for.
    enum Part {
        case author
        case reader
        /// Speaks no protocol: bytes are frames at once.
        case bare
    }

    let part: Part
    let transport: Transport
    private let capability: Capability
    private let crypto: DeviceCryptography
    private let origin: OriginRecord?
    private var connection: ConnectionID?
    private var exporter = Bytes32.zero
    private var frames = FrameParser()

    /// The node has taken everything that makes the link live.
    private(set) var isReady = false
    /// What came, and the sum of the sequences.
    private(set) var envelopes = 0
    private(set) var sequenceSum: UInt64 = 0
    private(set) var lastSequence: UInt64 = 0
    private(set) var bytesReceived = 0
    /// How far the node has this peer's feed on disk.
    private(set) var storedPosition: UInt64 = 0
    /// Envelope bytes that the node takes in all.
    private(set) var creditLimit: UInt64 = 0

    private var position: UInt64 = 0
    private var confirmed: UInt64 = 0
    private var envelopeBytes: UInt64 = 0
    private var granted: UInt64 = 0
    private var isAsleep = false

    /// As a node grants it.
    private static let creditWindow: UInt64 = 1 << 20
    private static let readyNumber: UInt64 = 1

    init(_ part: Part, _ author: Author, transport: Transport, key: DeviceKey) {
        self.part = part
        self.transport = transport
        capability = author.capability
        origin = part == .author ? author.record : nil
        crypto = DeviceCryptography(key)
    }

    // MARK: What the transport tells

    func opened(_ id: ConnectionID, _ opening: ConnectionOpening) {
        connection = id
        exporter = opening.exporter
        guard part != .bare else { return }
        send([
            .hello(
                Hello(
                    wireVersions: 1...1,
                    software: "parley-bench",
                    deviceName: "bench",
                    processNonce: exporter.words.0
                )
            )
        ])
    }

    func received(_ bytes: Slice) throws {
        bytesReceived += bytes.count
        frames.append(bytes)
        while let frame = try frames.next(frameBytesMax: Limits.frameBytes) {
            if frame.type == FrameType.envelope.rawValue {
                count(frame.body)
            } else if let decoded = try Frame(decoding: frame) {
                try take(decoded)
            }
        }
        confirm()
    }

    // MARK: What the rows do

    func send(_ bytes: [UInt8]) {
        guard let connection else { return }
        transport.send(bytes, to: connection)
    }

    /// Reads no more until `wake`.
    func sleep() {
        guard let connection else { return }
        isAsleep = true
        transport.pauseReading(from: connection)
    }

    func wake() {
        guard let connection else { return }
        isAsleep = false
        transport.resumeReading(from: connection)
    }

    // MARK: Frames

    private func send(_ frames: [Frame]) {
        var bytes: [UInt8] = []
        for frame in frames { frame.append(to: &bytes) }
        send(bytes)
    }

    private func take(_ frame: Frame) throws {
        switch frame {
        case .conversations: join()
        case .stored(let stored): storedPosition = max(storedPosition, stored.position)
        case .credit(let credit): creditLimit = max(creditLimit, credit.envelopeBytes)
        case .ping where part == .bare: isReady = true
        case .ping(let number): send([.pong(number)])
        case .pong(Self.readyNumber): isReady = true
        case .have(let list): want(list)
        case .goodbye(let goodbye):
            throw BenchError.unexpected("goodbye: \(goodbye.reason) \(goodbye.text)")
        default: break
        }
    }

    /// Proves membership, asks for everything, and asks for a sign that this was taken.
    private func join() {
        var message = exporter.bytes
        message.append(0)
        capability.conversationID.append(to: &message)
        let proof = crypto.hmac(message.span.bytes, key: capability.relayKey).prefix16
        var random = SystemRandomNumberGenerator()
        let padding = (1..<Limits.conversationGroup).map { _ in
            Bytes16(random.next(), random.next())
        }
        granted = Self.creditWindow
        var frames: [Frame] = [
            .conversations(ConversationTags(tags: [proof] + padding)),
            .feed(
                FeedRequest(
                    conversation: 0,
                    since: .beginning,
                    ownRun: random.next(),
                    ownPosition: 0
                )
            ),
            .credit(Credit(envelopeBytes: granted, blobBytes: 1 << 20)),
        ]
        if let origin {
            frames.append(.origin(OriginFrame(conversation: 0, record: origin)))
        }
        send(frames + [.ping(Self.readyNumber)])
    }

    private func want(_ list: HaveList) {
        position = list.entries.reduce(position) { max($0, $1.position) }
        let wanted = list.entries.filter { $0.dot.sequence > 0 }
        guard part == .reader, !wanted.isEmpty else { return }
        send([.want(WantList(conversation: 0, entries: wanted))])
    }

    /// Notes an envelope frame: its position and its sequence, which stands behind the prefix, the
    /// head of the header, tag and origin.
    private func count(_ body: Slice) {
        envelopes += 1
        envelopeBytes += UInt64(body.count)
        position = max(position, body.bigEndian(at: 8))
        lastSequence = Self.number(in: body, at: EnvelopeFrame.prefixBytes + 1 + 17 + 17)
        sequenceSum &+= lastSequence
    }

    private static func number(in body: Slice, at offset: Int) -> UInt64 {
        switch body[offset] {
        case 24: UInt64(body[offset + 1])
        case 25: UInt64(body.bigEndian(at: offset + 1) as UInt16)
        case 26: UInt64(body.bigEndian(at: offset + 1) as UInt32)
        case 27: body.bigEndian(at: offset + 1)
        case let short: UInt64(short)
        }
    }

    /// Once per read: what came is "stored", and half a window is granted anew.
    private func confirm() {
        guard part == .reader, granted > 0, !isAsleep else { return }
        var answers: [Frame] = []
        if position > confirmed {
            confirmed = position
            answers.append(.stored(Stored(conversation: 0, position: position)))
        }
        if granted - envelopeBytes < Self.creditWindow / 2 {
            granted = envelopeBytes + Self.creditWindow
            answers.append(.credit(Credit(envelopeBytes: granted, blobBytes: 1 << 20)))
        }
        if !answers.isEmpty { send(answers) }
    }
}
