import ParleyCore
import ParleyKeys
import ParleyTransport

/// A peer of the node under test: a device with a link that does only what the protocol requires.
///
/// It proves its membership, reads the feed, grants credit like a node, confirms received
/// envelopes, and counts them. It neither verifies proofs nor stores envelopes.
final class Peer {
    /// The role of the peer.
    enum Part {
        case author
        case reader
        /// The peer does not speak the protocol: it sends and receives frames without a handshake.
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

    /// Whether the node has processed the requests of the peer.
    private(set) var isReady = false
    /// The number of received envelopes, and the sum of their sequences.
    private(set) var envelopes = 0
    private(set) var sequenceSum: UInt64 = 0
    private(set) var lastSequence: UInt64 = 0
    private(set) var bytesReceived = 0
    /// The position up to which the node has this peer's feed on disk.
    private(set) var storedPosition: UInt64 = 0
    /// The total number of envelope bytes for which the node has granted credit.
    private(set) var creditLimit: UInt64 = 0

    private var position: UInt64 = 0
    private var confirmed: UInt64 = 0
    private var envelopeBytes: UInt64 = 0
    private var granted: UInt64 = 0
    private var isAsleep = false

    /// The credit that a node grants.
    private static let creditWindow: UInt64 = 1 << 20
    private static let readyNumber: UInt64 = 1

    init(_ part: Part, _ author: Author, transport: Transport, key: DeviceKey) {
        self.part = part
        self.transport = transport
        capability = author.capability
        origin = part == .author ? author.record : nil
        crypto = DeviceCryptography(key)
    }

    // MARK: Events of the transport

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

    // MARK: Actions of the rows

    func send(_ bytes: [UInt8]) {
        guard let connection else { return }
        transport.send(bytes, to: connection)
    }

    /// Stops reading until `wake`.
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

    /// Proves membership, requests the feed, and sends a ping, whose answer shows that the node has
    /// processed the requests.
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
                    ownIncarnation: random.next(),
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

    /// Counts an envelope frame: reads its position and its sequence, which follows the prefix, the
    /// start of the header, the tag and the origin.
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

    /// Runs once per read: confirms the received envelopes, and renews the credit when half of it
    /// is used.
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
