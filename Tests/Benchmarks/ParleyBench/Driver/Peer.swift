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
    /// The conversations of the peer, in the order of its numbers.
    private let conversations: [Author]
    private let crypto: DeviceCryptography
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
    /// The positions up to which the node has this peer's feeds on disk, by the node's numbers of
    /// the conversations, and their sum.
    private var storedPositions: [UInt32: UInt64] = [:]
    private(set) var storedPosition: UInt64 = 0
    /// The total number of envelope bytes for which the node has granted credit.
    private(set) var creditLimit: UInt64 = 0

    private var position: UInt64 = 0
    private var confirmed: UInt64 = 0
    /// When the last confirmation was sent, in seconds.
    private var lastConfirmed = 0.0
    /// Whether a confirmation was requested, and how many entries came without a request since the
    /// last one.
    private var isRequested = false
    private var unrequested = 0
    private var envelopeBytes: UInt64 = 0
    private var granted: UInt64 = 0
    private var isAsleep = false

    /// The credit that a node grants.
    private static let creditWindow: UInt64 = 1 << 20
    private static let readyNumber: UInt64 = 1
    /// The times for which a node gathers confirmations, in seconds: until the next envelope, and
    /// at most.
    private static let gatheringLeast = Double(Confirmations.gatheringLeast.nanoseconds) / 1e9
    private static let gathering = Double(Confirmations.gathering.nanoseconds) / 1e9

    init(
        _ part: Part,
        _ conversations: [Author],
        transport: Transport,
        key: DeviceKey
    ) {
        self.part = part
        self.transport = transport
        self.conversations = conversations
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
                    wireVersions: NodeConfiguration.spoken,
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
        while let frame = try frames.nextWhole(frameBytesMax: Limits.frameBytes) {
            if frame.type == FrameType.envelope.rawValue {
                count(frame.body)
            } else if frame.type == BatchFrame.type {
                countEntries(of: frame.body)
            } else if let decoded = try Frame(decoding: frame) {
                try take(decoded)
            }
        }
        confirm()
    }

    /// The time at which received envelopes are confirmed that wait for further ones, in seconds;
    /// nil if none wait.
    var confirmationDue: Double? {
        part == .reader && position > confirmed && !isAsleep
            ? lastConfirmed + Self.gathering : nil
    }

    /// Confirms the envelopes that have waited long enough.
    func confirmGathered() { confirm() }

    // MARK: Actions of the rows

    func send(_ bytes: [UInt8]) {
        guard let connection else { return }
        transport.send(bytes, to: connection)
    }

    /// Sends the origin of an author in the first conversation.
    func introduce(_ author: Author) {
        send([.origin(OriginFrame(conversation: 0, record: author.record))])
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
        case .stored(let stored): take(stored)
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

    private func take(_ stored: Stored) {
        let before = storedPositions[stored.conversation, default: 0]
        guard stored.position > before else { return }
        storedPositions[stored.conversation] = stored.position
        storedPosition += stored.position - before
    }

    /// Proves membership, requests the feeds, and sends a ping, whose answer shows that the node
    /// has processed the requests.
    private func join() {
        var random = SystemRandomNumberGenerator()
        var tags = conversations.map { conversation in
            var message = exporter.bytes
            message.append(0)
            conversation.conversation.append(to: &message)
            return crypto.hmac(message.span.bytes, key: conversation.capability.relayKey).prefix16
        }
        while !tags.count.isMultiple(of: Limits.conversationGroup) {
            tags.append(Bytes16(random.next(), random.next()))
        }
        granted = Self.creditWindow
        var frames: [Frame] = [.conversations(ConversationTags(tags: tags))]
        for number in conversations.indices {
            let request = FeedRequest(
                conversation: UInt32(number),
                since: .beginning,
                ownIncarnation: random.next(),
                ownPosition: 0
            )
            frames.append(.feed(request))
        }
        frames.append(.credit(Credit(envelopeBytes: granted, blobBytes: 1 << 20, names: 1 << 40)))
        if part == .author {
            frames += conversations.enumerated().map { number, author in
                .origin(OriginFrame(conversation: UInt32(number), record: author.record))
            }
        }
        send(frames + [.ping(Self.readyNumber)])
    }

    private func want(_ list: HaveList) {
        isRequested = isRequested || list.entries.contains { $0.isAwaited }
        unrequested += list.entries.count
        position = list.entries.reduce(position) { max($0, $1.position) }
        let wanted = list.entries.filter { $0.dot.sequence > 0 }
        guard part == .reader, !wanted.isEmpty else { return }
        send([.want(WantList(conversation: 0, entries: wanted))])
    }

    private func count(_ body: Slice) {
        let prefix = EnvelopeFrame.prefixBytes
        count(body, envelope: prefix, position: body.bigEndian(at: 8), credit: body.count)
    }

    /// Counts the envelopes of a batch frame where they are: a driver that copied each into a frame
    /// of its own would slow the node down that shares the machine with it.
    private func countEntries(of body: Slice) {
        let depth = Int(body[BatchFrame.prefixBytes + 9])
        var start = BatchFrame.prefixBytes
        while start < body.count {
            let envelope = start + BatchFrame.entryBytes + Int(body[start + 9]) * Bytes32.count
            let bytes = Int(body.bigEndian(at: start + 12) as UInt32)
            let index = Int(body.bigEndian(at: start + 10) as UInt16)
            let proof = EnvelopeProof.bytes(ofBatchAt: index, depth: depth)
            let credit = EnvelopeFrame.prefixBytes + bytes + proof
            count(body, envelope: envelope, position: body.bigEndian(at: start), credit: credit)
            start = envelope + bytes
        }
    }

    /// Counts the envelope at an offset.
    ///
    /// Its sequence follows the start of the header, the tag and the origin. The highest bit of a
    /// position requests the confirmation.
    private func count(_ body: Slice, envelope: Int, position number: UInt64, credit: Int) {
        envelopes += 1
        envelopeBytes += UInt64(credit)
        isRequested = isRequested || number >> 63 == 1
        position = max(position, number & ~(1 << 63))
        lastSequence = Self.number(in: body, at: envelope + 1 + 17 + 17)
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

    /// Renews the credit when half of it is used, and confirms the received envelopes: along with
    /// that, at once if that is requested or much came without a request, or once the time has
    /// passed for which a node gathers them.
    private func confirm() {
        guard part == .reader, granted > 0, !isAsleep else { return }
        var answers: [Frame] = []
        let isUsed = granted - envelopeBytes < Self.creditWindow / 2
        let now = ProcessMeter.now
        if position > confirmed,
            isUsed || isRequested || unrequested >= Confirmations.unawaitedMax
                || lastConfirmed + Self.gatheringLeast <= now
        {
            confirmed = position
            isRequested = false
            unrequested = 0
            lastConfirmed = now
            answers.append(.stored(Stored(conversation: 0, position: position)))
        }
        if isUsed {
            granted = envelopeBytes + Self.creditWindow
            answers.append(
                .credit(Credit(envelopeBytes: granted, blobBytes: 1 << 20, names: 1 << 40))
            )
        }
        if !answers.isEmpty { send(answers) }
    }
}
