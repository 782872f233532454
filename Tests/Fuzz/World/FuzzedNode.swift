import ParleyCore
import ParleyFaults

/// A machine that is driven without a world: its commits succeed, and its effects are kept.
struct FuzzedNode {
    private(set) var machine: NodeMachine
    private(set) var now = Moment.start
    private(set) var sent: [LinkSend] = []
    private(set) var closes: [LinkClose] = []
    private var ticket: Ticket?
    private var timer: Moment?

    static let table = SimulatedConversation(1)
    static let link = LinkID(1)

    init(seed: UInt64, role: Capability.Role = .writer, recovery: Recovery = Recovery()) {
        machine = NodeMachine(
            configuration: NodeConfiguration(deviceName: "fuzzed", software: "fuzz"),
            crypto: FuzzCryptography(seed: seed),
            random: SeededRandom(seed: seed),
            recovery: recovery
        )
        take(machine.start(at: now))
        guard recovery.conversations.isEmpty else { return }
        handle(.joined(Self.table.record(number: 1, role: role, device: machine.device)))
        commit()
    }

    /// Opens the link to the device with that seed.
    mutating func open(to peer: UInt64, dialled: Bool) {
        let opened = OpenedLink(
            id: Self.link,
            dial: dialled ? DialID(1) : nil,
            peerKey: FuzzCryptography(seed: peer).devicePublicKey,
            exporter: Bytes32(1, 2, 3, 4),
            address: "192.0.2.\(peer):27275"
        )
        handle(.linkOpened(opened))
    }

    mutating func handle(_ input: NodeInput) {
        take(machine.handle(input, at: now))
    }

    mutating func commit() {
        guard let ticket else { return }
        self.ticket = nil
        handle(.committed(ticket))
    }

    /// Lets time pass until something is due, or that long.
    mutating func wait(_ interval: Interval) {
        now = now + interval
        if let timer, timer > now { now = timer }
        handle(.timer)
    }

    mutating func takeSent() -> [LinkSend] {
        defer { sent = [] }
        return sent
    }

    mutating func author(_ number: UInt64, session: UInt64) {
        let body = MessageBody(
            session: SessionUUID(sixteen: UInt8(truncatingIfNeeded: session)),
            place: 0,
            sentAt: 0,
            url: "https://example.org/\(number)"
        )
        handle(.authored([AuthorRequest(request: RequestID(number), conversation: 1, body: body)]))
        commit()
    }

    private mutating func take(_ effects: Effects) {
        if let persist = effects.persist { ticket = persist.ticket }
        sent += effects.sends
        timer = effects.timer
        closes += effects.closes
    }
}

extension Identifier where Value == Bytes16 {
    /// An identifier of sixteen equal bytes.
    init(sixteen byte: UInt8) {
        self.init(reading: Slice([UInt8](repeating: byte, count: Bytes16.count)), at: 0)
    }
}
