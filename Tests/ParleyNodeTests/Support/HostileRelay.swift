import ParleyCore
import ParleyKeys
import ParleyLoop
import ParleyTransport

/// A peer with the invite of a relay that announces envelopes which do not exist, and never sends
/// one.
///
/// It follows the protocol in everything else, so no rule ends its link: it proves the
/// conversation, answers pings, and keeps to the limit of a frame and to its credit.
actor HostileRelay: ConnectionObserver {
    nonisolated let executor = QueueExecutor(label: "hostile.relay")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The progress of the link.
    enum State: Equatable {
        case dialling
        case announcing
        case ended(GoodbyeReason?)
    }

    private(set) var state = State.dialling
    /// The envelopes that it announced.
    private(set) var announced = 0
    /// The wants of the node.
    private(set) var wanted = 0

    private let number: UInt64
    private let capability: Capability
    private let conversation: ConversationID
    private let crypto: DeviceCryptography
    private let identity: TransportIdentity
    private var transport: Transport?
    private var link: ConnectionID?
    private var exporter = Bytes32.zero
    private var frames = FrameParser()
    private var random = SystemRandomNumberGenerator()
    /// How many envelopes the node lets it announce.
    private var credit = 0
    /// Whether it answers that nothing is found, so that it may announce more.
    private var answers = false
    /// What it was asked for and has not answered.
    private var asked: [HaveEntry] = []
    private var goodbye: GoodbyeReason?

    /// Makes a relay with a device key of its own; relays with different numbers invent different
    /// envelopes.
    init(_ number: UInt64, of invite: InviteLink) throws {
        let key = DeviceKey.random()
        self.number = number
        capability = invite.capability
        conversation = invite.conversationID
        crypto = DeviceCryptography(key)
        identity = try TransportIdentity(privateKey: key.rawPrivateKey)
    }

    /// Dials a node; once it is a member there, it announces as many envelopes as it may.
    func dial(_ address: String) throws {
        let transport = try Transport(on: executor, identity: identity, observer: self)
        self.transport = transport
        _ = transport.dial([try Endpoint(parsing: address)])
    }

    /// Answers what it is asked, and announces further envelopes for that until the link ends.
    func goOn() {
        answers = true
        deny(asked)
    }

    // MARK: Events of the transport

    nonisolated func connectionArrived(_ id: ConnectionID, from remote: SocketAddress) -> Bool {
        false
    }

    nonisolated func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening) {
        assumeIsolated { relay in
            relay.link = id
            relay.exporter = opening.exporter
            relay.sayHello()
        }
    }

    nonisolated func connectionReceived(_ id: ConnectionID, _ bytes: Slice) {
        assumeIsolated { relay in
            relay.frames.append(bytes)
            // The node sends only what it should; if not, the test finds the link silent.
            while let raw = try? relay.frames.next(frameBytesMax: Limits.frameBytes) {
                if let frame = try? Frame(decoding: raw) { relay.take(frame) }
            }
        }
    }

    nonisolated func connectionDrained(_ id: ConnectionID) {}

    nonisolated func connectionClosed(_ id: ConnectionID, _ reason: TransportError) {
        assumeIsolated { $0.state = .ended($0.goodbye) }
    }

    nonisolated func dialFailed(_ dial: TransportDialID, _ failures: [DialFailure]) {
        assumeIsolated { $0.state = .ended(nil) }
    }

    nonisolated func listenerPaused(_ reason: TransportError?) {}

    // MARK: Frames

    private func sayHello() {
        let hello = Hello(
            wireVersions: NodeConfiguration.spoken,
            software: "hostile",
            deviceName: "relay \(number)",
            processNonce: random.next()
        )
        send(.hello(hello))
    }

    private func proveMembership() {
        // Our side dialled, so the byte of the role is 0.
        var proof = exporter.bytes + [0]
        conversation.append(to: &proof)
        var tags = [crypto.hmac(proof.span.bytes, key: capability.relayKey).prefix16]
        while tags.count < Limits.conversationGroup {
            tags.append(Bytes16(random.next(), random.next()))
        }
        send(.conversations(ConversationTags(tags: tags)))
    }

    private func take(_ frame: Frame) {
        switch frame {
        case .hello: proveMembership()
        case .feed:
            let own = FeedRequest(
                conversation: 0,
                since: .beginning,
                ownIncarnation: random.next(),
                ownPosition: FeedCursor.positionEnd - 1
            )
            send(.feed(own))
            state = .announcing
            announceMore()
        case .credit(let credit):
            self.credit = Int(clamping: credit.names)
            announceMore()
        case .want(let list):
            wanted += list.entries.count
            if answers { deny(list.entries) } else { asked += list.entries }
        case .ping(let nonce): send(.pong(nonce))
        case .goodbye(let goodbye): self.goodbye = goodbye.reason
        default: break
        }
    }

    private func announceMore() {
        while state == .announcing, announced < credit {
            let count = min(credit - announced, Limits.haveEntries)
            let entries = (1...UInt64(count)).map { entry in
                let position = UInt64(announced) + entry
                return HaveEntry(
                    position: position,
                    tag: SessionTag(Bytes16(number, position)),
                    dot: Dot(origin: OriginID(Bytes16(number, position)), sequence: 1),
                    revision: 1,
                    digestPrefix: position
                )
            }
            send(.have(HaveList(conversation: 0, entries: entries)))
            announced += count
        }
    }

    private func deny(_ entries: [HaveEntry]) {
        asked = []
        guard !entries.isEmpty else { return }
        let answers = entries.map { HaveEntry.notFound($0.name) }
        send(.have(HaveList(conversation: 0, entries: answers)))
    }

    private func send(_ frame: Frame) {
        guard let link else { return }
        var bytes: [UInt8] = []
        frame.append(to: &bytes)
        transport?.send(bytes, to: link)
    }
}
