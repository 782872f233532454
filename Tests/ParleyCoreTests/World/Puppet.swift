import ParleyCore
import ParleyFaults

/// One node and a peer that says what the test tells it to, for peers that break the rules.
///
/// Commits are done at once, in virtual time that only moves when it is told to.
struct Puppet {
    let table: SimulatedConversation
    let node = SimulatedCryptography(seed: 1)
    var peer = SimulatedCryptography(seed: 2)
    private(set) var machine: NodeMachine
    private(set) var disk = SimulatedDisk()
    var now = Moment.start
    let link = LinkID(1)
    let exporter = Bytes32(5, 6, 7, 8)

    /// The frames that the node sent to the peer.
    private(set) var frames: [Frame] = []
    private(set) var deliveries: [Delivery] = []
    private(set) var closes: [LinkClose] = []
    /// How often the node asked to be told that the peer's link is drained.
    private(set) var drainsAsked = 0
    private(set) var reads: [StoreRead] = []
    /// How often the work of a turn was used up before all frames were handled.
    private(set) var turns = 0
    private(set) var timer: Moment?
    private(set) var writes: [StoreWrite] = []
    private(set) var dials: [Dial] = []
    /// The number of requests to write so far, where a test counts them.
    var requests: UInt64 = 0
    private var parser = FrameParser()
    /// Whether persists are answered; else they wait.
    var commits = true
    private var uncommitted: [Persist] = []

    init(
        role: Capability.Role = .writer,
        table: SimulatedConversation = SimulatedConversation(1),
        limits: Limits = Limits(),
        disk: SimulatedDisk? = nil,
        seed: UInt64 = 4,
        crypto: (any Cryptography)? = nil
    ) {
        self.table = table
        self.disk = disk ?? SimulatedDisk()
        machine = NodeMachine(
            configuration: NodeConfiguration(
                deviceName: "node",
                software: "test 1",
                limits: limits
            ),
            crypto: crypto ?? node,
            random: SeededRandom(seed: seed),
            recovery: self.disk.recovery
        )
        for row in self.disk.sortedRows { machine.recover(row) }
        carryOut(machine.start(at: now))
        guard disk == nil else { return }
        handle(.joined(table.record(number: 1, role: role, device: nodeDevice)))
    }

    var nodeDevice: DeviceID { DeviceID(publicKey: node.devicePublicKey, using: node) }
    var peerDevice: DeviceID { DeviceID(publicKey: peer.devicePublicKey, using: peer) }

    // MARK: The node

    mutating func handle(_ input: NodeInput) {
        carryOut(machine.handle(input, at: now))
    }

    /// Several inputs at once.
    mutating func handle(_ inputs: [NodeInput]) {
        carryOut(machine.handle(inputs, at: now))
    }

    private mutating func carryOut(_ effects: Effects) {
        for send in effects.sends where send.link == link { take(send.bytes) }
        drainsAsked += effects.drains.count { $0 == link }
        deliveries += effects.deliveries
        closes += effects.closes
        reads += effects.reads
        dials += effects.dials
        timer = effects.timer
        if let persist = effects.persist {
            writes += persist.writes
            uncommitted.append(persist)
            if commits { commitAll() }
        }
        turns += effects.work.count { $0.isUnfinished }
        for work in effects.work where work.isUnfinished {
            handle(.received(work.link, .empty))
        }
    }

    /// Does the commits that wait.
    mutating func commitAll() {
        while commitNext() {}
    }

    /// Does the oldest commit that waits; tells whether there was one.
    @discardableResult
    mutating func commitNext() -> Bool {
        guard !uncommitted.isEmpty else { return false }
        let persist = uncommitted.removeFirst()
        disk.apply(persist.writes)
        handle(.committed(persist.ticket))
        return true
    }

    private mutating func take(_ bytes: [UInt8]) {
        parser.append(Slice(bytes))
        // All bytes that the node sends form whole and legal frames, or the test sees too few.
        while let raw = try? parser.next(frameBytesMax: Limits.frameBytes) {
            if let frame = try? Frame(decoding: raw) { frames.append(frame) }
        }
    }

    /// Lets time pass, with the timer inputs that the node asks for.
    mutating func pass(_ interval: Interval) {
        let end = now + interval
        var timers = 0
        while let due = timer, due <= end, timers < 10_000 {
            now = max(now, due)
            timers += 1
            handle(.timer)
        }
        now = end
    }

    // MARK: The peer

    mutating func open(address: String = "puppet") {
        handle(
            .linkOpened(
                OpenedLink(
                    id: link,
                    dial: nil,
                    peerKey: peer.devicePublicKey,
                    exporter: exporter,
                    address: address
                )
            )
        )
    }

    mutating func send(bytes: [UInt8]) {
        handle(.received(link, Slice(bytes)))
    }

    mutating func send(_ frame: Frame, on link: LinkID = LinkID(1)) {
        var bytes: [UInt8] = []
        frame.append(to: &bytes)
        handle(.received(link, Slice(bytes)))
    }

    var hello: Frame { hello(named: "peer") }

    func hello(named name: String) -> Frame {
        .hello(
            Hello(
                wireVersions: NodeConfiguration.spoken,
                software: "puppet",
                deviceName: name,
                processNonce: 99
            )
        )
    }

    /// The proof that the peer, which dialled, is in the conversations, and others up to eight.
    func tags(for tables: [SimulatedConversation]) -> Frame {
        var tags = tables.map { $0.tag(exporter: exporter, side: 0) }
        while tags.count < Limits.conversationGroup { tags.append(Bytes16(UInt64(tags.count), 1)) }
        return .conversations(ConversationTags(tags: tags))
    }

    func tags(for other: SimulatedConversation? = nil) -> Frame { tags(for: [other ?? table]) }

    /// Makes another link, to a third device, a member's.
    mutating func meet(
        _ third: SimulatedCryptography,
        on link: LinkID,
        in tables: [SimulatedConversation]? = nil,
        named name: String = "peer",
        from address: String = "third"
    ) {
        handle(
            .linkOpened(
                OpenedLink(
                    id: link,
                    dial: nil,
                    peerKey: third.devicePublicKey,
                    exporter: exporter,
                    address: address
                )
            )
        )
        send(hello(named: name), on: link)
        send(tags(for: tables ?? [table]), on: link)
    }

    /// Sends the `feed` of another link, which comes before all else about a conversation.
    mutating func begin(on link: LinkID) {
        let request = FeedRequest(
            conversation: 0,
            since: .beginning,
            ownIncarnation: 7,
            ownPosition: 0
        )
        send(.feed(request), on: link)
    }

    /// Makes the link a member's.
    mutating func meet() {
        open()
        send(hello)
        send(tags())
    }

    /// As `meet`, and asks for the node's feed and lets it send.
    mutating func meetAndSync(run: UInt64 = 7) {
        meet()
        sync(run: run)
    }

    mutating func sync(
        since: FeedCursor = .beginning,
        run: UInt64 = 7,
        latest: UInt64 = 0,
        credit: UInt64 = 1 << 30,
        names: UInt64 = 1 << 30
    ) {
        send(
            .feed(
                FeedRequest(
                    conversation: 0,
                    since: since,
                    ownIncarnation: run,
                    ownPosition: latest
                )
            )
        )
        send(.credit(Credit(envelopeBytes: credit, blobBytes: credit, names: names)))
    }

    // MARK: Observations

    func count(_ type: FrameType) -> Int { frames.count { $0.type == type } }

    mutating func forgetFrames() { frames = [] }

    mutating func takeReads() -> [StoreRead] {
        defer { reads = [] }
        return reads
    }

    var goodbye: GoodbyeReason? {
        let reasons = frames.compactMap { frame in
            if case .goodbye(let goodbye) = frame { goodbye.reason } else { nil }
        }
        return reasons.first
    }

    var refusals: [ParleyCore.Refusal] {
        deliveries.compactMap { delivery in
            if case .refused(_, _, _, let refusal) = delivery { refusal } else { nil }
        }
    }

    /// Envelopes that the node announced.
    var announced: [Dot] { announcements.map(\.dot) }

    /// The entries that the node announced.
    var announcements: [HaveEntry] {
        frames.flatMap { frame -> [HaveEntry] in
            if case .have(let list) = frame { list.entries } else { [] }
        }
    }

    var wanted: [Dot] {
        frames.flatMap { frame -> [Dot] in
            if case .want(let list) = frame { list.entries.map(\.dot) } else { [] }
        }
    }

    /// The highest position of the peer's feed that the node confirmed.
    var storedPosition: UInt64? {
        let positions = frames.compactMap { frame in
            if case .stored(let stored) = frame { stored.position } else { nil }
        }
        return positions.last
    }

    var session: SessionState? { machine.conversations.first?.sessions.first }
}
